// Whether positions and the cap table, which read the vesting of all securities at once, tell what each security tells.
import { expect } from "bun:test";
import type { Company } from "./company.ts";
import type { VestingAnswer } from "./compare-vesting.ts";
import type { Model } from "./model/state.ts";
import { show, total, units } from "./model/units.ts";

interface Held {
  readonly id: string;
  readonly type: string;
  readonly quantity: string;
  readonly unvested: string;
  readonly vested: string;
  readonly exercised: string;
  readonly vestingStoppedOn: string | null;
}

interface Figures {
  readonly unvested: string;
  readonly vested: string;
  readonly fullyDiluted: string;
}

interface Position {
  readonly totals: Figures;
  readonly securities: readonly Held[];
}

interface Table {
  readonly data: {
    readonly stakeholders: readonly (Figures & { readonly id: string | null })[];
    readonly byClass: readonly { readonly fullyDiluted: string }[];
    readonly totals: { readonly fullyDiluted: string; readonly poolAvailable: string };
  };
}

/** Expects of everybody's position as of a day what the securities, each asked by itself, come to. */
export function expectPositions(company: Company, model: Model, day: string): void {
  const { data } = company.read("/cap-table", { asOf: day }) as Table;
  const { fullyDiluted, poolAvailable } = data.totals;
  const held = show(total(data.byClass.map((each) => units(each.fullyDiluted))));
  expect({ day, held }).toEqual({ day, held: show(units(fullyDiluted) - units(poolAvailable)) });
  for (const { id, ...row } of data.stakeholders) {
    if (id === null || !company.ids.holders.includes(id)) continue;
    const { totals, securities } = company.read("/stakeholders/:id/position", { asOf: day }, id) as Position;
    const told = { vested: totals.vested, unvested: totals.unvested, fullyDiluted: totals.fullyDiluted };
    expect({ day, ...told }).toEqual({
      day,
      vested: row.vested,
      unvested: row.unvested,
      fullyDiluted: row.fullyDiluted,
    });
    expect(show(total(securities.map((each) => units(each.unvested))))).toBe(show(units(totals.unvested)));
    for (const security of securities) {
      // What was deleted since is in the views of the days before, and cannot be asked by itself any more.
      const { isDeleted } = model.securities[company.ids.securities.indexOf(security.id)] ?? { isDeleted: true };
      if (!isDeleted) expectSame(company, security, day);
    }
  }
}

function expectSame(company: Company, security: Held, day: string): void {
  const alone = company.read("/securities/:id/vesting", { asOf: day }, security.id) as VestingAnswer;
  const waiting = alone.parcels.filter(({ date }) => date === null || date > day);
  const unvested = total(waiting.map(({ quantity }) => units(quantity)));
  const { id, exercised, vestingStoppedOn } = security;
  expect({ day, id, unvested: show(units(security.unvested)), exercised, vestingStoppedOn }).toEqual({
    day,
    id,
    unvested: show(unvested),
    exercised: alone.exercised,
    vestingStoppedOn: alone.vestingStoppedOn,
  });
  expect(units(security.vested) + units(security.unvested)).toBe(units(security.quantity));
}
