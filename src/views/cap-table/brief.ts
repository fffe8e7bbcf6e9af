// Brief cap table of a day: totals, classes and plans, without holders. For imports, which show it before and after.
import { type Static, Type } from "@sinclair/typebox";
import type { CalendarDate } from "../../kernel/date.ts";
import { EquityPlans, ShareClasses, Totals } from "./schema.ts";

/** What of `GET /cap-table` stands in it, as that has it. */
export const Brief = Type.Object({
  shareClasses: { ...ShareClasses, description: "Every class, with what is issued of it." },
  equityPlans: { ...EquityPlans, description: "Every plan, with what is left in it." },
  totals: { ...Totals, description: "The sums, in shares." },
});

/** The cap table of a day, by all that is recorded in the database in `file`. */
export async function readBrief(file: string, orgId: string, asOf: CalendarDate): Promise<Static<typeof Brief>> {
  const { readBrief: read } = await import("./read-brief.ts");
  return await read(file, orgId, asOf);
}
