// verify as the second opinion on the ledger's story. Writes, views and verify apply entries by one story: an error in
// it would make all three agree on a wrong figure. verify's own idea of what entries do to quantities finds it.
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { ONE, parseDecimal } from "../../../src/kernel/numbers/decimal.ts";
import type { LedgerEvent } from "../../../src/ledger/replay/event.ts";
import { initialState } from "../../../src/ledger/replay/replay.ts";
import { listAdjustments } from "../../../src/ledger/replay/replay-store.ts";
import type { LedgerState } from "../../../src/ledger/replay/state.ts";
import { applyEntry } from "../../../src/ledger/rules/apply.ts";
import { iterateEntries } from "../../../src/ledger/store.ts";
import { walkLedger } from "../../../src/safekeeping/verify/ledger.ts";
import type { Difference } from "../../../src/safekeeping/verify/report.ts";
import { DATABASE_FILE, openReadOnly } from "../../../src/storage/database/open.ts";
import { listEvery } from "../../../src/storage/database/records.ts";
import type { Reader } from "../../../src/storage/database/sql.ts";
import type { TestServer } from "../../kit/service.ts";
import { done, foundCompany, option, stock } from "../../ledger/support.ts";

setDefaultTimeout(60_000);

let server: TestServer;
let db: Reader;
let orgId: string;

beforeAll(async () => {
  const company = await foundCompany();
  const [shares, options] = [await stock(company), await option(company)];
  const on = { effectiveDate: "2025-01-01" };
  const give = { fromStakeholderId: company.holder, toStakeholderId: company.other, quantity: "400" };
  await done(company, "transfer", { securityId: shares, ...give, ...on });
  const net = { paymentMethod: "NET_EXERCISE", fairMarketValue: "1", exercisePrice: "0.25" };
  await done(company, "exercise", { securityId: options, quantity: "100", ...net, ...on });
  await done(company, "cancel", { securityId: options, quantity: "50", cancellationReason: "FORFEITURE", ...on });
  await done(company, "repurchase", { securityId: shares, quantity: "10", pricePerShare: "1", ...on });
  await done(company, "split", { stockClassId: company.common, numerator: 3, denominator: 2, ...on });
  await stock(company, { effectiveDate: "2025-02-01" });
  ({ server } = company);
  orgId = server.orgId;
  await server.app.stop();
  db = openReadOnly(join(server.dataDir, DATABASE_FILE));
});
afterAll(() => {
  db.sqlite.close();
  rmSync(server.dataDir, { recursive: true, force: true });
});

type Apply = typeof applyEntry;

/** What the walk reports of a sound ledger if its story goes by `apply`. */
function reported(apply: Apply): readonly Difference[] {
  const found: Difference[] = [];
  const [classes, plans] = [listEvery(db, "share_classes", orgId), listEvery(db, "equity_plans", orgId)];
  const state = initialState(classes, plans, listAdjustments(db, { orgId }));
  const idsOf = (table: "securities" | "stakeholders") => new Set(listEvery(db, table, orgId).map(({ id }) => id));
  const known = {
    securities: idsOf("securities"),
    stakeholders: idsOf("stakeholders"),
    classes: new Set(state.classes.keys()),
    plans: new Set(state.plans.keys()),
  };
  walkLedger(iterateEntries(db, orgId), { state, known, apply }, (difference) => found.push({ ...difference, orgId }));
  return found;
}

/** The story with one share more, or fewer, on the security that the entry made or names, after entries of a kind. */
const off =
  (isMeant: (event: LedgerEvent) => boolean, by: bigint): Apply =>
  (state: LedgerState, event: LedgerEvent) => {
    applyEntry(state, event);
    if (!isMeant(event)) return;
    const named = event.kind === "split" ? [...state.before.securities.keys()][0] : event.entry.securityId;
    const id = event.said.newSecurityId ?? named ?? "";
    state.changeSecurity(id, { quantity: state.security(id).quantity + by });
  };

/** The story with entries of a kind decoded as if they changed nothing. */
const unheard =
  (isMeant: (event: LedgerEvent) => boolean): Apply =>
  (state: LedgerState, event: LedgerEvent) =>
    applyEntry(state, isMeant(event) ? { ...event, kind: "noted", how: null } : event);

const by = (how: LedgerEvent["how"]) => (event: LedgerEvent) => event.how === how;
const isSplit = ({ kind }: LedgerEvent) => kind === "split";
const isIssue = ({ kind }: LedgerEvent) => kind === "issued";

/** An exercise that makes as many shares as it takes, whatever is withheld. */
const forgetsWithheld: Apply = (state, event) => {
  applyEntry(state, event);
  const { newSecurityId, withheld } = event.said;
  if (newSecurityId === null || withheld === null) return;
  const { quantity } = state.security(newSecurityId);
  state.changeSecurity(newSecurityId, { quantity: quantity + parseDecimal(withheld) });
};

/** A transfer that takes its shares of the receiver's security too, and gives them back to the source. */
const turnsBack: Apply = (state, event) => {
  applyEntry(state, event);
  const { newSecurityId } = event.said;
  if (event.how !== "transfer" || newSecurityId === null) return;
  const { quantity } = state.security(newSecurityId);
  const sourceId = event.entry.securityId ?? "";
  state.changeSecurity(newSecurityId, { quantity: 0n });
  state.changeSecurity(sourceId, { quantity: state.security(sourceId).quantity + quantity });
};

/** A split at a ratio that is one more than the entry's. */
const splitsMore: Apply = (state, event) => {
  if (event.kind !== "split") return applyEntry(state, event);
  return applyEntry(state, { ...event, split: { ...event.split, numerator: event.split.numerator + 1n } });
};

const MUTANTS: readonly (readonly [fault: string, apply: Apply])[] = [
  ["an issuance makes a share more", off(isIssue, ONE)],
  ["a transfer makes a share more", off(by("transfer"), ONE)],
  ["an exercise makes a share fewer", off(by("exercise"), -ONE)],
  ["an exercise issues what was withheld", forgetsWithheld],
  ["a cancellation leaves a share", off(by("cancellation"), ONE)],
  ["a repurchase leaves a share", off(by("repurchase"), ONE)],
  ["a transfer leaves its shares with the source", turnsBack],
  ["a split gives one holder two shares more", off(isSplit, 2n * ONE)],
  ["a split goes by another ratio", splitsMore],
  ["a split leaves all shares as they were", unheard(isSplit)],
  ["a transfer is not heard", unheard(by("transfer"))],
  ["a cancellation is not heard", unheard(by("cancellation"))],
  ["an issuance is not heard", unheard(isIssue)],
];

test("nothing is reported of a sound ledger, which has entries of each kind that a fault is planted in", () => {
  const met = new Set<string>();
  const apply: Apply = (state, event) => {
    met.add(event.how ?? event.kind);
    if ((event.said.withheld ?? "0") !== "0") met.add("withheld");
    applyEntry(state, event);
  };
  expect(reported(apply)).toEqual([]);
  expect([...met]).toEqual(
    expect.arrayContaining(["STOCK", "transfer", "exercise", "cancellation", "repurchase", "split", "withheld"]),
  );
});

test.each(MUTANTS)("verify reports that %s", (_fault, apply) => {
  const codes = new Set(reported(apply).map(({ code }) => code));
  expect(codes.has("shares-not-conserved") || codes.has("entry-inapplicable")).toBe(true);
});
