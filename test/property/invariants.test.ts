// Whether what must hold whatever the model says bites by itself: a service that is right passes, and one that holds or
// tells something wrong does not, though no model is asked.
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import type { Tx } from "../../src/storage/database/sql.ts";
import { type CapTable, expectSound } from "../kit/cap-table.ts";
import { Company } from "./company.ts";
import type { VestingAnswer } from "./compare-vesting.ts";
import { expectNoneUnvested, expectSameSums, expectVestingAddsUp, type FamilySum, sumsOf } from "./family.ts";
import { History } from "./history.ts";
import { expectBoundPools, expectVerified } from "./invariants.ts";
import { newModel } from "./model/start.ts";
import type { Model } from "./model/state.ts";
import type { Step } from "./model/step.ts";
import { openPlace, type Place } from "./place.ts";

setDefaultTimeout(60_000);

let place: Place;
beforeAll(async () => {
  place = await openPlace();
});
afterAll(() => place.close());

const GRANT = {
  plan: 0,
  stockClass: 0,
  strike: "1",
  expires: null,
  terms: 0,
  start: null,
  certificate: "C-1",
} as const;
const STEPS: readonly Step[] = [
  { op: "issue-options", holder: 0, quantity: "48", date: "2025-06-30", ...GRANT },
  { op: "exercise", security: 0, quantity: "4", strike: "1", stockClass: 0, early: true, date: "2026-06-15" },
  { op: "transfer", security: 0, from: 0, to: 1, quantity: "20", vested: null, date: "2026-06-15" },
];

/** A service that makes something else of what it answers about a path. */
function answering<T>(path: string, falsify: (answer: T) => unknown): (tx: Tx) => Company {
  class Liar extends Company {
    isLying = false;
    override read(asked: string, query?: Readonly<Record<string, string>>, id?: string): unknown {
      const answer = super.read(asked, query, id);
      return asked === path && this.isLying ? falsify(answer as T) : answer;
    }
  }
  return (tx) => new Liar(tx);
}

type Look = (company: Company, model: Model) => void;

/** Does the steps and looks; then falsifies the record by SQL, or lets the service lie, and looks again. */
function looking(look: Look, { sql, found }: Falsified): Promise<void> {
  return place.writer.submit((tx) => {
    const history = new History(found?.(tx) ?? new Company(tx), newModel());
    for (const step of STEPS) history.advance(Object.assign(() => step, { op: step.op }));
    const { company, model } = history;
    look(company, model);
    if (sql !== undefined) tx.sqlite.prepare(sql).run(company.orgId);
    if ("isLying" in company) company.isLying = true;
    expect(() => look(company, model)).toThrow();
  });
}

interface Falsified {
  readonly sql?: string;
  readonly found?: (tx: Tx) => Company;
}

const DAY = "2026-12-31";
const vestingAddsUp: Look = (company) => expectVestingAddsUp(company, 0, DAY);
const viewIsSound: Look = (company) => {
  const { data } = company.read("/cap-table", { asOf: DAY }) as { readonly data: CapTable };
  expectSound(data);
};

/** Looks at a family's sums against those of the first look. */
function sumsBy(compare: typeof expectSameSums): Look {
  let first: FamilySum[] | null = null;
  return (company, model) => {
    const sums = sumsOf(company, model, 0);
    first ??= sums;
    compare(first, sums);
  };
}

const vesting = (falsify: (answer: VestingAnswer) => Partial<VestingAnswer>): Falsified => ({
  found: answering<VestingAnswer>("/securities/:id/vesting", (answer) => ({ ...answer, ...falsify(answer) })),
});
const view = (falsify: (table: CapTable) => CapTable): Falsified => ({
  found: answering<{ readonly data: CapTable }>("/cap-table", ({ data }) => ({ data: falsify(data) })),
});

const CASES: readonly (readonly [what: string, look: Look, falsified: Falsified])[] = [
  [
    "a pool that has more left than its grants leave",
    expectBoundPools,
    { sql: "UPDATE equity_plans SET currentSharesReserved = totalSharesReserved WHERE orgId = ?" },
  ],
  [
    "a pool below zero",
    expectBoundPools,
    { sql: "UPDATE equity_plans SET currentSharesReserved = '-1' WHERE orgId = ?" },
  ],
  [
    "charges above the reserve",
    expectBoundPools,
    { sql: "UPDATE securities SET planCharge = '1000' WHERE orgId = ? AND status = 'ACTIVE'" },
  ],
  [
    "shares that no entry explains",
    expectVerified,
    { sql: "UPDATE securities SET quantity = '1000' WHERE orgId = ? AND status = 'ACTIVE'" },
  ],
  ["more vested than events say", vestingAddsUp, vesting(({ quantity }) => ({ vested: quantity }))],
  ["parcels that are not what is outstanding", vestingAddsUp, vesting(() => ({ parcels: [] }))],
  ["more exercised than vested", vestingAddsUp, vesting(({ quantity }) => ({ exercised: quantity }))],
  ["shares that a move vested", sumsBy(expectSameSums), vesting(({ quantity }) => ({ vested: quantity }))],
  ["shares that a move made", sumsBy(expectSameSums), vesting(({ quantity }) => ({ quantity: `1${quantity}` }))],
  ["shares that were vested and are not", sumsBy(expectNoneUnvested), vesting(() => ({ vested: "0" }))],
  [
    "a negative holding",
    viewIsSound,
    view((table) => ({ ...table, stakeholders: table.stakeholders.map((each) => ({ ...each, options: "-1" })) })),
  ],
  [
    "a total that its parts are not",
    viewIsSound,
    view((table) => ({ ...table, totals: { ...table.totals, outstanding: "1" } })),
  ],
];

test.each(CASES)("noticed without a model: %s", async (_what, look, falsified) => {
  await looking(look, falsified);
});
