// Walks one organization's ledger from its first entry: hashes, chain, sequence, references, conservation of shares,
// and the replay whose outcome the stored rows are compared with. Entries stream through; only the cap table is kept.
// Pure: entries come in as an iterable.

import { InvariantError } from "../../kernel/assert.ts";
import { abs, type Decimal, formatDecimal, ONE, parseDecimal, ZERO } from "../../kernel/numbers/decimal.ts";
import { GENESIS_HASH, hashEntry } from "../../ledger/hash.ts";
import { membersOf } from "../../ledger/members.ts";
import { type LedgerEvent, readEntry, type SplitEvent } from "../../ledger/replay/event.ts";
import { toDraft } from "../../ledger/replay/replay.ts";
import { LedgerState } from "../../ledger/replay/state.ts";
import { applyEntry } from "../../ledger/rules/apply.ts";
import { RULES, withheldOf } from "../../ledger/rules/charges.ts";
import type { EntryDraft, SecurityState } from "../../ledger/types.ts";
import { countOf } from "../../ledger/vesting/parcels.ts";
import type { Row } from "../../storage/database/sql.ts";
import { chargesUnlike, UnboundPlans } from "./pools.ts";
import { RESTORE, type Tell } from "./report.ts";

/** The ids that entries may name, deleted records included. */
export interface KnownIds {
  readonly securities: ReadonlySet<string>;
  readonly stakeholders: ReadonlySet<string>;
  readonly classes: ReadonlySet<string>;
  readonly plans: ReadonlySet<string>;
}

/** Where the walk ended. */
export interface Walk {
  readonly entries: number;
  readonly head: { readonly sequence: number; readonly hash: string };
  readonly unbound: UnboundPlans;
}

/** The cap table to replay onto, and the ids that entries may name; `apply` is another effect of entries in tests. */
export interface Replayed {
  readonly state: LedgerState;
  readonly known: KnownIds;
  readonly apply?: typeof applyEntry;
}

/**
 * Replays `entries` onto `state`, and reports each that was changed after it was written or cannot have been written.
 * Its loop, and its opinion on what entries may do to quantities, are its own: an error of the ledger's story
 * (ledger/replay/story.ts), which writes and views share, would have to be made twice.
 */
export function walkLedger(
  entries: Iterable<Row<"transactions">>,
  { state, known, apply = applyEntry }: Replayed,
  tell: Tell,
): Walk {
  const watched = new WatchedState(state);
  const unbound = new UnboundPlans();
  let count = 0;
  let head = { sequence: 0, hash: GENESIS_HASH };
  for (const row of entries) {
    count++;
    const subject = `entry ${row.sequence} (id ${row.id})`;
    const say: Tell = (difference) => tell({ fix: RESTORE, ...difference });
    checkPlace(row, head, subject, say);
    checkHash(row, subject, say);
    const draft = readable(row, subject, say);
    if (draft !== null) {
      unbound.note(watched, draft);
      replay(readEntry(draft), watched, { known, apply, subject, tell: say });
    }
    head = { sequence: row.sequence, hash: row.hash };
  }
  return { entries: count, head, unbound };
}

/** An entry follows the one before it: the next number, and that one's hash. */
function checkPlace(row: Row<"transactions">, head: Walk["head"], subject: string, tell: Tell): void {
  const expected = head.sequence + 1;
  if (row.sequence !== expected) {
    const missing =
      row.sequence - 1 > expected ? `entries ${expected} to ${row.sequence - 1} are` : `entry ${expected} is`;
    tell({ code: "sequence-gap", subject, detail: `${missing} missing before it` });
  } else if (row.previousHash !== head.hash) {
    const previous = head.sequence === 0 ? "the 64 zeros of a first entry" : `the hash of entry ${head.sequence}`;
    const detail = `its previousHash is not ${previous}: one of the two was changed after it was written`;
    tell({ code: "chain-broken", subject, detail });
  }
}

function checkHash(row: Row<"transactions">, subject: string, tell: Tell): void {
  const metadata = parseJson(row.metadata);
  const isIntact =
    metadata !== undefined && hashEntry({ ...row, metadata, recordOnly: row.recordOnly === 1 }) === row.hash;
  if (isIntact) return;
  const detail = "its hash does not match its contents: the row was changed after it was written";
  tell({ code: "entry-altered", subject, detail });
}

/** The JSON value of a column; undefined if it is not JSON. */
function parseJson(text: string | null): unknown {
  if (text === null) return null;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function readable(row: Row<"transactions">, subject: string, tell: Tell): EntryDraft | null {
  const draft = toDraft(row);
  if (draft !== null) {
    const { rules } = membersOf(draft);
    // An entry that changes nothing is recorded with the metadata that was sent.
    if (draft.recordOnly || rules === RULES) return draft;
    const detail = `it is written by the rules ${JSON.stringify(rules ?? null)}, and this program knows ${RULES} alone`;
    tell({ code: "entry-unreadable", subject, detail });
    return draft;
  }
  const detail = `this program writes no entry of the type ${JSON.stringify(row.type)} with such metadata`;
  tell({ code: "entry-unreadable", subject, detail });
  return null;
}

/** Reports differences of one entry. */
interface Replaying extends Required<Pick<Replayed, "known" | "apply">> {
  readonly subject: string;
  readonly tell: Tell;
}

function replay(event: LedgerEvent, state: WatchedState, { known, apply, subject, tell }: Replaying): void {
  const { entry: draft } = event;
  for (const [what, id] of danglingReferences(draft, known)) {
    tell({ code: "reference-missing", subject, detail: `it names ${what} ${id}, which does not exist` });
  }
  try {
    const unlike = chargesUnlike(state, draft) ?? parcelsUnlike(state, draft);
    if (unlike !== null) tell({ code: "entry-inapplicable", subject, detail: unlike });
    const moved = state.watch(() => apply(state, event));
    const unexplained = event.kind === "split" ? splitUnlike(event, state) : unexplainedChange(draft, moved, state);
    if (unexplained !== null) tell({ code: "shares-not-conserved", subject, detail: unexplained });
  } catch (error) {
    if (!(error instanceof InvariantError)) throw error;
    const detail = `it cannot follow from the entries before it: ${error.message}`;
    tell({ code: "entry-inapplicable", subject, detail });
  }
}

/** What is wrong with the parcels of an entry, or null: they add up to what it moves, and to what it leaves. */
function parcelsUnlike(state: LedgerState, entry: EntryDraft): string | null {
  const { securityId, quantity } = entry;
  const { parcels, vestingStopped } = membersOf(entry);
  const { moved, left } = parcels;
  const all = state.securities.get(securityId ?? "")?.quantity ?? ZERO;
  if (vestingStopped !== null && left !== null && countOf(left) !== all) {
    return "its parcels do not add up to what the security holds";
  }
  if (moved === null || left === null || quantity === null) return null;
  const taken = parseDecimal(quantity);
  if (countOf(moved) === taken && countOf(left) === all - taken) return null;
  return "its parcels do not add up to what it moves and what it leaves";
}

/** Records that an entry names and that do not exist. Entries that only record a fact may carry any metadata. */
function* danglingReferences(draft: EntryDraft, known: KnownIds): Generator<[what: string, id: string]> {
  const said = draft.recordOnly ? null : membersOf(draft);
  const references = [
    ["the security", draft.securityId, known.securities],
    ["the stakeholder", draft.stakeholderId, known.stakeholders],
    ["the new security", said?.newSecurityId, known.securities],
    ["the recipient", said?.toStakeholderId, known.stakeholders],
    ["the share class", said?.stockClassId, known.classes],
    ["the equity plan", said?.equityPlanId, known.plans],
  ] as const;
  for (const [what, id, ids] of references) if (typeof id === "string" && !ids.has(id)) yield [what, id];
}

/** How many shares an entry made (positive) or ended (negative), over all securities, closed ones included. */
interface Moved {
  readonly quantity: Decimal;
}

/** A replayed cap table that adds up what one entry does to quantities. Shares its maps with the state it watches. */
class WatchedState extends LedgerState {
  override readonly securities: Map<string, SecurityState>;
  override readonly classes: LedgerState["classes"];
  override readonly plans: LedgerState["plans"];
  override readonly moving: LedgerState["moving"];
  override readonly adjusted: LedgerState["adjusted"];
  #moved = ZERO;

  constructor(state: LedgerState) {
    super();
    this.securities = state.securities;
    this.classes = state.classes;
    this.plans = state.plans;
    this.moving = state.moving;
    this.adjusted = state.adjusted;
  }

  override putSecurity(security: SecurityState): void {
    this.#moved += security.quantity - (this.securities.get(security.id)?.quantity ?? ZERO);
    super.putSecurity(security);
  }

  watch(apply: () => void): Moved {
    this.#moved = ZERO;
    apply();
    return { quantity: this.#moved };
  }
}

/**
 * How an entry breaks conservation, or null. Written apart from the effects, so that an error would have to be made
 * twice: transfers and exercises only move, except for what a net exercise says that it withholds; issuances add and
 * cancellations take exactly what they say; and what is moved or taken leaves the security that the entry names. Splits
 * (`splitUnlike`), direct edits and imports change quantities in ways of their own, and facts change none.
 */
function unexplainedChange(draft: EntryDraft, moved: Moved, state: LedgerState): string | null {
  const expected = expectedChange(draft);
  if (expected !== null && expected !== moved.quantity) {
    return `it says that ${formatDecimal(expected)} shares are added, and ${formatDecimal(moved.quantity)} are`;
  }
  const id = draft.securityId ?? "";
  const lost = (state.securityBefore(id)?.quantity ?? ZERO) - (state.securities.get(id)?.quantity ?? ZERO);
  const taken = expectedTaking(draft);
  if (taken === null || taken === lost) return null;
  return `it takes ${formatDecimal(taken)} shares of its security, and ${formatDecimal(lost)} are gone`;
}

const TAKING: ReadonlySet<string> = new Set([
  ...["TRANSFER", "EXERCISE", "CONVERSION"],
  ...["CANCELLATION", "REPURCHASE", "RETRACTION"],
]);

/** How many shares the entry's security loses; null for an entry that takes none, or takes them in a way of its own. */
function expectedTaking(draft: EntryDraft): Decimal | null {
  const said = membersOf(draft);
  if (draft.recordOnly || said.isDirectEdit || said.imported.hasEffect || draft.quantity === null) return null;
  return TAKING.has(verbOf(draft)) ? parseDecimal(draft.quantity) : null;
}

function verbOf({ type }: EntryDraft): string {
  return type.slice(type.lastIndexOf("_") + 1);
}

function expectedChange(draft: EntryDraft): Decimal | null {
  if (draft.recordOnly) return ZERO;
  const said = membersOf(draft);
  if (said.isDirectEdit || said.imported.hasEffect) return null;
  const quantity = draft.quantity === null ? ZERO : parseDecimal(draft.quantity);
  switch (verbOf(draft)) {
    case "ISSUANCE":
      return quantity;
    case "CANCELLATION":
    case "REPURCHASE":
    case "RETRACTION":
      return -quantity;
    case "EXERCISE":
      return -withheldOf(said);
    case "SPLIT":
    case "CONVERSION":
      return null;
    default:
      return ZERO;
  }
}

/**
 * What is wrong with what a split did, or null: each open security of its class, or that it names, has its shares times
 * the ratio, but for less than one share; no other has more or fewer than before.
 */
function splitUnlike({ split, said }: SplitEvent, state: LedgerState): string | null {
  const { numerator, denominator, isStockOnly } = split;
  const inferred = new Set(split.inferredSecurityIds);
  const named = split.securityIds && new Set(split.securityIds);
  const isConcerned = ({ id, type, status, quantity, stockClassId }: SecurityState) => {
    if (status !== "ACTIVE" || quantity === ZERO || (named && !named.has(id))) return false;
    const isOfType = type === "STOCK" || (!isStockOnly && type !== "CONVERTIBLE");
    return isOfType && (stockClassId === said.stockClassId || inferred.has(id));
  };
  // An import splits in many pieces: the others are not looked at for each.
  const ids = named ? new Set([...named, ...state.before.securities.keys()]) : state.securities.keys();
  for (const id of ids) {
    const [was, now] = [state.securityBefore(id), state.securities.get(id)];
    if (!was || !now) continue;
    const off = isConcerned(was)
      ? abs(now.quantity * denominator - was.quantity * numerator) / denominator
      : abs(now.quantity - was.quantity) * ONE;
    if (off < ONE) continue;
    const figures = `${formatDecimal(was.quantity)} shares of ${id} become ${formatDecimal(now.quantity)}`;
    return `it splits ${numerator} for ${denominator}, and ${figures}`;
  }
  return null;
}
