// Rounds of random companies, and what is written between the plan of a closing and its commit: steps of histories, and
// what the second cap table does not know of and a model of a round reads, or reads nothing of.
import fc from "fast-check";
import { splitPiece } from "../../src/ledger/splits/split-pieces.ts";
import { continueLongWrite, type LongWrite } from "../../src/storage/database/long-writes.ts";
import type { Tx } from "../../src/storage/database/sql.ts";
import { standOf } from "../../src/views/cap-table/basis.ts";
import { type Choice, named } from "./choosing.ts";
import { type Company, newCall } from "./company.ts";
import { TODAY } from "./model/dates.ts";
import { choiceOfAll } from "./steps.ts";
import { certificate, holder } from "./values.ts";

const TOMORROW = "2026-06-16";

/** What else is written: what the second cap table knows, and what only a model of a round reads, or nothing of that. */
export interface Beside {
  readonly choose: Choice;
  readonly other: keyof typeof OTHERS | null;
  readonly number: number;
}

export type Other = (company: Company, number: number) => void;

const nth = <T>(list: readonly T[], number: number): T | undefined => list[number % Math.max(1, list.length)];
const convertibles = ({ tx, orgId }: Company) =>
  tx.sqlite
    .prepare<[string], string>(`select id from securities where "orgId" = ? and type = 'CONVERTIBLE' order by seq`)
    .pluck()
    .all(orgId);
const TERMS = [
  { convertibleType: "SAFE", timing: "POST_MONEY", valuationCap: "500" },
  { convertibleType: "SAFE", timing: "PRE_MONEY", valuationCap: "900", discountPercent: "20" },
  { convertibleType: "SAFE", timing: "POST_MONEY", discountPercent: "15" },
  {
    convertibleType: "CONVERTIBLE_SECURITY",
    triggers: [
      { type: "AUTOMATIC_ON_CONDITION", condition: "A financing", mechanism: { type: "FIXED", quantity: "12" } },
    ],
  },
] as const;

export const OTHERS = {
  renames: (company, number) =>
    call(company, "PATCH /api/v1/stakeholders/:id", nth(company.ids.holders, number), {
      displayName: `Renamed ${number}`,
    }),
  describes: (company, number) =>
    call(company, "PATCH /api/v1/stakeholders/:id", nth(company.ids.holders, number), {
      email: `a${number}@example.com`,
    }),
  "makes a holder": (company, number) => {
    const displayName = `Another ${number}`;
    const body = { displayName, name: { legalName: displayName }, type: "INDIVIDUAL" };
    call(company, "POST /api/v1/stakeholders", undefined, body);
  },
  "makes a legend": (company) => call(company, "POST /api/v1/stock-legends", undefined, { name: "L", text: "Text" }),
  "asks for an approval": (company) =>
    call(company, "POST /api/v1/approvals", undefined, {
      title: "Grants",
      entityType: "Stock Issuance",
      steps: [{ name: "Board" }],
    }),
  "issues a SAFE": (company, number) => issueSafe(company, number),
  "sets terms": (company, number) =>
    call(company, "PATCH /api/v1/securities/:id", nth(convertibles(company), number), {
      convertibleTerms: nth(TERMS, number + 1),
    }),
  numbers: (company, number) =>
    call(company, "PATCH /api/v1/securities/:id", nth(convertibles(company), number), {
      certificateId: `SAFE ${number}`,
    }),
  divides: (company, number) => {
    const securityId = nth(convertibles(company), number);
    const { tx, ids } = company;
    const fromStakeholderId = tx.sqlite
      .prepare<[string], string>("select stakeholderId from main.securities where id = ?")
      .pluck()
      .get(securityId ?? "");
    call(company, "POST /api/v1/transactions/transfer", undefined, {
      ...{ securityId, fromStakeholderId, toStakeholderId: ids.holders.find((id) => id !== fromStakeholderId) },
      ...{ quantity: "7", effectiveDate: TODAY },
    });
  },
  protects: (company) =>
    call(company, "PATCH /api/v1/share-classes/:id", company.ids.classes[2], {
      antiDilution: "BROAD_BASED",
      pricePerShare: "4",
    }),
  "does a piece": ({ tx, orgId }) => {
    const write = underWay(tx, orgId);
    if (write) continueLongWrite(tx, newCall(orgId, "job"), write, splitPiece);
  },
} as const satisfies Readonly<Record<string, Other>>;

function call(company: Company, name: string, id: string | undefined, body: object): void {
  company.call({ name, id, body: body as Record<string, unknown> });
}

export function issueSafe(company: Company, number: number): void {
  const { ids } = company;
  call(company, "POST /api/v1/transactions/issue-convertible", undefined, {
    stakeholderId: nth(ids.holders, number),
    quantity: String(20 + (number % 50)),
    certificateId: `S-${number}-${ids.securities.length}-${standOf(company.tx, company.orgId).ledger.sequence}`,
    convertibleTerms: nth(TERMS, number),
    effectiveDate: number % 3 === 0 ? "2025-06-30" : TODAY,
  });
}

export function underWay(tx: Tx, orgId: string): LongWrite | undefined {
  return tx.sqlite
    .prepare<[string], LongWrite>(`select * from long_writes where "orgId" = ? and kind = 'split'`)
    .get(orgId);
}

const OFTEN = ["split", "issue-shares", "issue-options", "issue-warrant", "transfer", "cancel", "record-only"] as const;
/** Later days too, and retracted or corrected ones. */
const beside: fc.Arbitrary<Beside> = fc.record({
  choose: choiceOfAll([...OFTEN, "retract", "patch-security", "issue-convertible"]),
  other: fc.option(fc.constantFrom(...(Object.keys(OTHERS) as (keyof typeof OTHERS)[])), { freq: 2 }),
  number: fc.nat(1000),
});

export const opening = fc.array(
  fc
    .record({
      holder,
      quantity: fc.integer({ min: 2, max: 40 }).map(String),
      certificate,
      date: fc.constantFrom("2024-02-29", "2025-06-30"),
      stockClass: fc.constantFrom(0, 0, 0, 1, 2),
    })
    .map((given) =>
      named("issue-shares", given, () => ({ op: "issue-shares", ...given, terms: null, start: null, price: "2.50" })),
    ),
  { minLength: 2, maxLength: 6 },
);

/** A round, and what happens between its plan and its commit. */
export interface Round {
  readonly safes: readonly number[];
  readonly before: readonly Beside[];
  readonly beside: readonly Beside[];
  readonly name: string;
  readonly closingDate: string;
  readonly valuation: { readonly kind: string; readonly amount: string };
  readonly investors: readonly { readonly holder: number; readonly amount: string }[];
  readonly pool: { readonly plan: number; readonly increase?: string; readonly targetPercent?: string } | null;
  readonly shiftSeniority: boolean;
  readonly isDry: boolean;
  readonly isOther: boolean;
}

export const round: fc.Arbitrary<Round> = fc.record({
  safes: fc.array(fc.nat(1000), { maxLength: 3 }),
  before: fc.array(beside, { maxLength: 3 }),
  beside: fc.array(beside, { maxLength: 3 }),
  name: fc.constantFrom("Series A", "Series B"),
  closingDate: fc.constantFrom(TODAY, TODAY, TODAY, TOMORROW, "2026-03-01"),
  valuation: fc.constantFrom(
    { kind: "PRE_MONEY", amount: "1000" },
    { kind: "PRE_MONEY", amount: "4000" },
    { kind: "POST_MONEY", amount: "2500" },
    { kind: "PRICE", amount: "3" },
  ),
  investors: fc.uniqueArray(fc.record({ holder, amount: fc.constantFrom("100", "250.50", "400") }), {
    minLength: 1,
    maxLength: 2,
    selector: (each) => each.holder,
  }),
  pool: fc.option(
    fc.oneof(
      fc.record({ plan: fc.constantFrom(0, 1), increase: fc.constantFrom("5", "40") }),
      fc.record({ plan: fc.constantFrom(0, 1), targetPercent: fc.constantFrom("10", "60") }),
    ),
    { freq: 3 },
  ),
  shiftSeniority: fc.boolean(),
  isDry: fc.integer({ min: 0, max: 4 }).map((number) => number === 0),
  isOther: fc.integer({ min: 0, max: 9 }).map((number) => number === 0),
});
