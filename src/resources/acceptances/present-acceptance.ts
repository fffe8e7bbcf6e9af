// Acceptances in answers. What tells of a person's device is for administrators alone.
import type { Static } from "@sinclair/typebox";
import type { Row } from "../../storage/database/sql.ts";
import type { MemberRole } from "../../storage/records/member.ts";
import { presenter } from "../present.ts";
import { Acceptance } from "./schema.ts";

const show = presenter(Acceptance);
const OF_DEVICE = { sessionId: null, address: null, userAgent: null };

/** An acceptance as a caller of this role sees it. */
export function showAcceptance(row: Row<"acceptances">, role: MemberRole | undefined): Static<typeof Acceptance> {
  const shown = show(role === "ADMIN" ? row : { ...row, ...OF_DEVICE }) as Static<typeof Acceptance>;
  return row.hasSecondFactor === null ? { ...shown, hasSecondFactor: null } : shown;
}
