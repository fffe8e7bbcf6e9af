// Charges: what each security uses of its plan's reserve. A grant charges its quantity; every security made from it
// takes its part of the charge along, so that charges never multiply, and only a charge can return to the pool. Pure:
// gives the changes of charges by an entry, and whether a released charge refills the pool (`isUsedUp`); pools.ts sums
// them.

import { assert } from "../../kernel/assert.ts";
import { type Decimal, formatDecimal, min, parseDecimal, scale, sum, ZERO } from "../../kernel/numbers/decimal.ts";
import type { SecurityType } from "../../storage/database/schema.ts";
import type { Members, ToldCharge } from "../members.ts";
import type { IssuedEvent, LedgerEvent } from "../replay/event.ts";
import type { LedgerState, MovingCharge } from "../replay/state.ts";
import type { ChargeBasis, EntryDraft, SecurityState } from "../types.ts";

/** The version of the rules that every entry with an effect carries as `metadata.rules`. */
export const RULES = 2;

/** The change of one security's charge on one plan; null charges nothing. */
export interface ChargeChange {
  readonly securityId: string;
  readonly equityPlanId: string;
  readonly before: Decimal | null;
  readonly after: Decimal | null;
}

/** Whether a plan's reserve is held for securities of this type: options, and stock issued under the plan. */
export function isHeldAgainstPlan(type: SecurityType, equityPlanId: string | null): equityPlanId is string {
  return equityPlanId !== null && (type === "STOCK" || type === "STOCK_OPTION");
}

/** The part of a charge that goes with `part` of the `held` shares: 10 places half even, all of it with the last share. */
export function shareOfCharge(charge: Decimal, part: Decimal, held: Decimal): Decimal {
  return part >= held ? charge : scale(charge, part, held);
}

/** Writes a charge and the shares that bore it, `100/50000`; null for no charge. */
export function formatBasis(basis: ChargeBasis | null): string | null {
  return basis && `${formatDecimal(basis.charge)}/${formatDecimal(basis.quantity)}`;
}

/** Reads what {@link formatBasis} wrote. */
export function parseBasis(text: string | null): ChargeBasis | null {
  const [charge, quantity] = (text ?? "").split("/");
  return charge && quantity ? { charge: parseDecimal(charge), quantity: parseDecimal(quantity) } : null;
}

/** The changes as an entry's metadata stores them, or undefined without changes. */
export function writeCharges(changes: readonly ChargeChange[]): readonly ToldCharge[] | undefined {
  const told = changes.map(({ securityId, equityPlanId, before, after }) => ({
    securityId,
    equityPlanId,
    before: before === null ? null : formatDecimal(before),
    after: after === null ? null : formatDecimal(after),
  }));
  return told.length === 0 ? undefined : told;
}

/** The changes in an entry; empty if it has no such member. */
export function readCharges(said: Members): readonly ChargeChange[] {
  const figure = (text: string | null) => (text === null ? null : parseDecimal(text));
  const told = said.charges ?? [];
  return told.map((change) => ({ ...change, before: figure(change.before), after: figure(change.after) }));
}

/**
 * The changes of charges by an entry, given the cap table before it. A split's are not listed: it multiplies all
 * charges of a plan alike (pools.ts). Results of imported transactions may bring their charge along
 * (`metadata.charges`).
 */
export function chargesOf(state: LedgerState, event: LedgerEvent): readonly ChargeChange[] {
  const { entry, said } = event;
  const { imported } = said;
  if (event.kind === "edited") return chargesOfEdit(state, event);
  if (imported.taken !== null) return chargesOfImport(state, event, parseDecimal(imported.taken));
  // An imported return to the pool may name its security's charge.
  if (imported.returned !== null) return readCharges(said);
  switch (event.kind) {
    case "issued":
      return chargesOfIssuance(state, event);
    case "moved":
      return chargesOfMove(state, event);
    case "taken":
      return reduceCharge(sourceOf(state, entry), quantityOf(entry));
    default:
      return [];
  }
}

/** Whether the charge that an entry removes is used up for good: the plan gets nothing back. */
export function isUsedUp({ kind, how, said }: LedgerEvent): boolean {
  if (kind === "edited" || said.isReturnedToPool || said.isConversion) return false;
  if (how === "retraction" || said.isRetraction) return false;
  if (withheldOf(said) > ZERO) return true;
  return kind === "taken";
}

function quantityOf({ quantity }: EntryDraft): Decimal {
  assert(quantity !== null, "the entry has a quantity");
  return parseDecimal(quantity);
}

function sourceOf(state: LedgerState, { securityId }: EntryDraft): SecurityState | undefined {
  return state.securities.get(securityId ?? "");
}

/** Makes a change; an empty list if the charge stays. */
function changed(
  { id, equityPlanId }: { readonly id: string; readonly equityPlanId: string | null },
  before: Decimal | null,
  after: Decimal | null,
): readonly ChargeChange[] {
  const [was, now] = [orNull(before), orNull(after)];
  if (equityPlanId === null || was === now) return [];
  return [{ securityId: id, equityPlanId, before: was, after: now }];
}

function orNull(charge: Decimal | null): Decimal | null {
  return charge === ZERO ? null : charge;
}

/** Takes a part of a security off its charge. */
function reduceCharge(source: SecurityState | undefined, quantity: Decimal): readonly ChargeChange[] {
  if (!source || source.charge === null) return [];
  return changed(source, source.charge, source.charge - shareOfCharge(source.charge, quantity, source.quantity));
}

/**
 * A grant charges its quantity; the result of a conversion or imported transaction takes its source's charge on the
 * same plan. A security under another plan, or no plan, charges nothing: its source's charge is used up.
 */
function chargesOfIssuance(state: LedgerState, { how: type, entry, said }: IssuedEvent): readonly ChargeChange[] {
  const { equityPlanId, charges, isConversion, imported } = said;
  const id = entry.securityId ?? "";
  if (!isHeldAgainstPlan(type, equityPlanId)) return [];
  if (imported.resultOf !== null && charges !== null) return readCharges(said);
  const isMade = isConversion || imported.resultOf !== null;
  const under = state.moving.get(id);
  const moving = under?.equityPlanId === equityPlanId ? under : undefined;
  const charge = isMade ? moving && partOf(moving, quantityOf(entry)) : quantityOf(entry);
  return changed({ id, equityPlanId }, null, charge ?? null);
}

/** The part of a moving charge that goes to `quantity` shares. */
export function partOf({ charge, quantity: shares, left }: MovingCharge, quantity: Decimal): Decimal {
  return shares === null ? left : min(left, shareOfCharge(charge, quantity, shares));
}

/** The gross quantity withheld in a net exercise to pay the strike; zero in any other. */
export function withheldOf({ withheld }: Members): Decimal {
  return withheld === null ? ZERO : parseDecimal(withheld);
}

/**
 * The result of a transfer, exercise or conversion takes the charge of the shares that it used, less the withheld ones.
 */
function chargesOfMove(state: LedgerState, { entry, said }: LedgerEvent): readonly ChargeChange[] {
  const source = sourceOf(state, entry);
  const [off] = reduceCharge(source, quantityOf(entry));
  const { newSecurityId } = said;
  if (!off || newSecurityId === null) return off ? [off] : [];
  const all = (off.before ?? ZERO) - (off.after ?? ZERO);
  const moved = shareOfCharge(all, quantityOf(entry) - withheldOf(said), quantityOf(entry));
  return [off, ...changed({ id: newSecurityId, equityPlanId: off.equityPlanId }, null, moved)];
}

/**
 * Moving to another plan moves the charge, a first plan charges the quantity; a changed quantity changes the charge in
 * proportion.
 */
function chargesOfEdit(state: LedgerState, { entry, said }: LedgerEvent): readonly ChargeChange[] {
  const security = sourceOf(state, entry);
  const { after } = said;
  if (!security) return [];
  if (after.equityPlanId !== undefined && after.equityPlanId !== security.equityPlanId) {
    return movedToPlan(security, after.equityPlanId);
  }
  const difference = editedDifference(said);
  return difference === null ? [] : changed(security, security.charge, chargeOf(security, difference));
}

function movedToPlan(security: SecurityState, equityPlanId: string | null): readonly ChargeChange[] {
  const { id, type, charge, quantity, equityPlanId: plan } = security;
  const now = plan === null && isHeldAgainstPlan(type, equityPlanId) ? quantity : charge;
  return [...changed(security, charge, null), ...changed({ id, equityPlanId }, null, now)];
}

/** The change of quantity by a direct edit; null if it edits something else. */
export function editedDifference({ difference, before, after }: Members): Decimal | null {
  if (difference !== null) return parseDecimal(difference);
  if (before.quantity === undefined || after.quantity === undefined) return null;
  return parseDecimal(after.quantity) - parseDecimal(before.quantity);
}

/**
 * The entry's correction of the issued quantity, in shares of its day; null if it is not a correction. A retracted
 * security was never issued.
 */
export function correctionOf({ kind, how, entry, said }: LedgerEvent): Decimal | null {
  if (kind === "edited") return editedDifference(said);
  if (!said.isRetraction && how !== "retraction") return null;
  const taken = said.imported.taken ?? entry.quantity;
  return taken === null ? null : -parseDecimal(taken);
}

/** The charge of a security whose quantity is corrected by `difference`. */
function chargeOf(security: SecurityState, difference: Decimal): Decimal | null {
  const { type, charge, quantity, equityPlanId, chargeBasis } = security;
  if (!isHeldAgainstPlan(type, equityPlanId)) return charge;
  if (quantity === ZERO) return chargeBasis === null ? difference : proportion(chargeBasis, difference);
  if (charge === null) return null;
  if (difference < ZERO) return charge - shareOfCharge(charge, -difference, quantity);
  return scale(charge, quantity + difference, quantity);
}

function proportion({ charge, quantity }: ChargeBasis, part: Decimal): Decimal {
  return quantity === ZERO ? part : scale(charge, part, quantity);
}

/** An imported transaction moves the charge along with the shares, and existing results get their part. */
function chargesOfImport(state: LedgerState, event: LedgerEvent, quantity: Decimal): readonly ChargeChange[] {
  const [off] = reduceCharge(sourceOf(state, event.entry), quantity);
  if (!off) return [];
  const { balanceSecurityId } = event.said;
  const changes = [off];
  let given = ZERO;
  for (const id of madeBy(event.said)) {
    const made = state.securities.get(id);
    if (!made || made.charge !== null || made.equityPlanId !== off.equityPlanId) continue;
    if (!isHeldAgainstPlan(made.type, made.equityPlanId)) continue;
    const charge = partOf(movingTo(event, off, id, given), made.quantity);
    changes.push(...changed(made, null, charge));
    if (id !== balanceSecurityId) given += charge;
  }
  return changes;
}

/** The securities that an imported transaction names as its results, and as the balance. */
export function madeBy({ balanceSecurityId, resultingSecurityIds }: Members): readonly string[] {
  return balanceSecurityId === null ? resultingSecurityIds : [...resultingSecurityIds, balanceSecurityId];
}

/** The charge that an imported entry moves to `id`, after `given` went to other results; null for nothing. */
export function movingCharge(event: LedgerEvent, id: string, given: Decimal): MovingCharge | null {
  const off = readCharges(event.said).find(({ securityId }) => securityId === event.entry.securityId);
  return off ? movingTo(event, off, id, given) : null;
}

/**
 * Results share the charge of the moved shares, the balance keeps the rest; a conversion has one result. If the balance
 * alone receives all the shares, as for options issued anew after a split, it gets the whole charge.
 */
function movingTo({ entry, said }: LedgerEvent, off: ChargeChange, id: string, given: Decimal): MovingCharge {
  const all = (off.before ?? ZERO) - (off.after ?? ZERO);
  const { equityPlanId } = off;
  const { balanceSecurityId, resultingSecurityIds, imported } = said;
  const moved = quantityOf(entry);
  const shares = imported.taken === null ? moved : parseDecimal(imported.taken);
  const isAnew = moved >= shares && resultingSecurityIds.length === 0;
  const charge = balanceSecurityId === null ? all : isAnew ? ZERO : shareOfCharge(all, moved, shares);
  if (id === balanceSecurityId)
    return { equityPlanId, charge: all - charge, quantity: null, left: all - charge, to: [id] };
  const isSole = resultingSecurityIds.length <= 1;
  return { equityPlanId, charge, quantity: isSole ? null : moved, left: charge - given, to: [id] };
}

/**
 * The charges moving to securities that do not exist yet: a conversion of stock issues its result by an entry of its
 * own, an imported transaction leaves that to the package's issuances.
 */
export function chargesUnderWay(
  state: LedgerState,
  event: LedgerEvent,
  changes: readonly ChargeChange[],
): ReadonlyMap<string, MovingCharge> {
  const { entry, said } = event;
  const { newSecurityId, isConversion, balanceSecurityId, imported } = said;
  const off = changes.find(({ securityId }) => securityId === entry.securityId);
  const converted = isConversion ? newSecurityId : null;
  if (!off || (imported.taken === null && converted === null)) return new Map();
  const toResults = changes.filter(
    ({ securityId }) => securityId !== entry.securityId && securityId !== balanceSecurityId,
  );
  const given = sum(toResults.map(({ after }) => after ?? ZERO));
  const ids = (converted === null ? madeBy(said) : [converted]).filter((id) => !state.securities.has(id));
  const to = ids.filter((id) => id !== balanceSecurityId);
  const shared = { ...movingTo(event, off, to[0] ?? "", given), to };
  return new Map(ids.map((id) => [id, id === balanceSecurityId ? movingTo(event, off, id, given) : shared]));
}
