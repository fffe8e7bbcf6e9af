// Charges of late transactions: what their results drew on a plan goes back, and where those were acted on before, the
// charge goes on to later results. So the pools are those of one import of the corrected package.
import { type Decimal, formatDecimal, parseDecimal, ZERO } from "../../../../kernel/numbers/decimal.ts";
import { toStored } from "../../../../ledger/imported-members.ts";
import { membersOf } from "../../../../ledger/members.ts";
import { isIssuance, type LedgerEvent, readEntry } from "../../../../ledger/replay/event.ts";
import { toDraft } from "../../../../ledger/replay/replay.ts";
import { listEntriesOn } from "../../../../ledger/replay/replay-store.ts";
import { type ChargeChange, chargesOf, madeBy, readCharges, writeCharges } from "../../../../ledger/rules/charges.ts";
import { findEntry } from "../../../../ledger/store.ts";
import type { EntryDraft } from "../../../../ledger/types.ts";
import { recordDecision } from "../../../../ledger/writes/execute.ts";
import { Loader } from "../../../../ledger/writes/load.ts";
import { shown } from "../../finding.ts";
import { exists } from "../changed/named-records.ts";
import type { ImportContext } from "../context.ts";
import type { EventStep } from "../plan.ts";

/**
 * Gives back what the securities made by the transaction with this entry drew, restates their charges, and those of
 * later ones made from them.
 */
export function passChargesOn(context: ImportContext, step: EventStep, recordId: string): void {
  const { tx, call } = context;
  const row = findEntry(tx, call.orgId, recordId);
  const draft = row && toDraft(row);
  if (!draft) return;
  const late = readEntry(draft);
  for (const id of madeBy(late.said)) giveBackDrawn(context, step, id);
  const off = readCharges(late.said).find(({ securityId }) => securityId === draft.securityId);
  if (!off) return;
  const before = (id: string) => listEntriesOn(tx, call.orgId, id).filter(({ sequence }) => sequence < row.sequence);
  const loader = new Loader(tx, call.orgId);
  const load = (ids: readonly string[]) =>
    loader.load({ plans: [off.equityPlanId], securities: ids.filter((id) => exists(context, "securities", id)) });
  const facts = load([off.securityId, ...madeBy(late.said)]);
  if (!madeBy(late.said).some((id) => before(id).some(isTaking))) return;
  const work = facts.state.copy();
  const held = work.security(off.securityId).quantity + takenBy(late);
  work.changeSecurity(off.securityId, { quantity: held, charge: off.before });
  const entries: EntryDraft[] = [];
  const restate = (effectiveDate: string, changes: readonly ChargeChange[]) => {
    const charges = writeCharges(changes.filter(({ before: was, after }) => was !== after));
    if (!charges) return;
    entries.push(adjustment(step, { effectiveDate, equityPlanId: off.equityPlanId, returned: ZERO, charges }));
  };
  const changeNow = (id: string): ChargeChange[] => {
    const now = facts.state.securities.get(id);
    if (now?.equityPlanId !== off.equityPlanId) return [];
    return [{ securityId: id, equityPlanId: off.equityPlanId, before: now.charge, after: work.security(id).charge }];
  };
  for (const queue = [late]; ; ) {
    const event = queue.shift();
    if (!event) break;
    const { entry } = event;
    const made = madeBy(event.said);
    load(made);
    for (const id of made) {
      const security = facts.state.securities.get(id);
      if (!security) continue;
      const issued = issuanceIn(before(id))?.quantity;
      const quantity = issued ? parseDecimal(issued) : security.quantity;
      work.securities.set(id, { ...security, quantity, charge: null });
    }
    const source = entry.securityId ?? "";
    const changes = chargesOf(work, event);
    for (const { securityId, after } of changes) work.changeSecurity(securityId, { charge: after });
    if (event === late)
      restate(
        entry.effectiveDate,
        made.flatMap((id) => changeNow(id)),
      );
    else restate(entry.effectiveDate, changes);
    work.changeSecurity(source, { quantity: work.security(source).quantity - takenBy(event) });
    for (const id of made)
      queue.push(
        ...before(id)
          .filter(isTaking)
          .flatMap((each) => toDraft(each) ?? [])
          .map((each) => readEntry(each)),
      );
    if (event !== late && made.some((id) => !facts.state.securities.has(id))) warnOfLost(context, step, source);
  }
  if (entries.length > 0) recordDecision(tx, call, facts, { entries }, { isImport: true });
}

interface Adjusting {
  readonly effectiveDate: string;
  readonly equityPlanId: string;
  readonly returned: Decimal;
  readonly charges?: ReturnType<typeof writeCharges>;
}

/** An entry on no security: it says nothing of what any of them returns. */
function adjustment(
  { objectType }: EventStep,
  { effectiveDate, equityPlanId, returned, charges }: Adjusting,
): EntryDraft {
  const metadata = {
    equityPlanId,
    ...(charges && { charges }),
    ...toStored({ objectType, returned: formatDecimal(returned) }),
  };
  return {
    type: "STOCK_PLAN_ADJUSTMENT",
    securityId: null,
    stakeholderId: null,
    quantity: null,
    effectiveDate,
    metadata,
  };
}

/** A security that came in as a grant of its own drew on its plan; what a transaction makes was granted before. */
function giveBackDrawn({ tx, call }: ImportContext, step: EventStep, securityId: string): void {
  const issuance = issuanceIn(listEntriesOn(tx, call.orgId, securityId));
  if (issuance === undefined) return;
  const { imported } = membersOf(issuance);
  if (imported.objectType === null || imported.resultOf !== null) return;
  for (const { equityPlanId, after } of readCharges(membersOf(issuance))) {
    if (after === null || after === ZERO) continue;
    const facts = new Loader(tx, call.orgId).load({ plans: [equityPlanId] });
    const { effectiveDate } = issuance;
    const entries = [adjustment(step, { effectiveDate, equityPlanId, returned: after })];
    recordDecision(tx, call, facts, { entries }, { isImport: true });
  }
}

function issuanceIn(rows: ReturnType<typeof listEntriesOn>): EntryDraft | undefined {
  return rows.flatMap((row) => toDraft(row) ?? []).find(isIssuance);
}

function isTaking(row: { readonly metadata: string | null }): boolean {
  return membersOf({ metadata: JSON.parse(row.metadata ?? "{}") }).imported.taken !== null;
}

function takenBy({ said }: LedgerEvent) {
  return parseDecimal(said.imported.taken ?? "0");
}

function warnOfLost({ report }: ImportContext, step: EventStep, securityId: string): void {
  const detail = `What ${shown(securityId)} charges its plan goes on to securities that are not here yet: it is not counted.`;
  report.warn("charge-lost", step, detail, "Import the package into a new organization.");
}
