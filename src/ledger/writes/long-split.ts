// A split of more securities than one commit should write: the commit has the entry, the class, its plans and all sums.
// The rows of securities follow (splits/split-pieces.ts), and read as decided from then on.

import { present } from "../../kernel/assert.ts";
import type { Call } from "../../kernel/call.ts";
import type { Decimal } from "../../kernel/numbers/decimal.ts";
import { abandonLongWrite, PIECE, postponeLongWrite } from "../../storage/database/long-writes.ts";
import { eachDueSplit, findSplitOfRows, insertSplitOfRows } from "../../storage/database/split-rows.ts";
import type { Tx } from "../../storage/database/sql.ts";
import { tell } from "../../storage/outbox/tell.ts";
import { isTokenized } from "../../storage/outbox/tokens.ts";
import type { Described, Facts, LedgerOperation } from "../operation.ts";
import { askedSplit, decideSplit, split as splitOperation } from "../operations/split.ts";
import { refuseBefore, refuseDistant, refuseEarlier } from "../rules/dates.ts";
import { refuseAhead } from "../rules/future-limits.ts";
import { OpenSums } from "../rules/open-awards.ts";
import { caughtUp, type GatheredSplit, gatherSplit, isLargeSplit } from "../splits/gather-split.ts";
import { SPLIT_SIZES, splitPiece } from "../splits/split-pieces.ts";
import { hasDeletedPlanOf, newestSecuritySeq } from "../splits/split-store.ts";
import type { Split } from "../splits/stock-split.ts";
import { appendEntries } from "../store.ts";
import type { EntryDraft } from "../types.ts";
import { rewriteStop } from "../vested/recorded-stops.ts";
import { enqueueCapUpdates } from "./enqueue.ts";
import { applyDraft, brokenBy, describeAnew, type Executed, toUnchained } from "./execute.ts";
import { Loader } from "./load.ts";
import { moveOpenSums } from "./open-sums-store.ts";
import { writeChanges } from "./rows.ts";

/** Stopped securities of a split that is written piece by piece: their day is computed anew in its commit. */
const STOPPED_MAX = PIECE;

const operation: LedgerOperation = splitOperation;

type Command = Readonly<Record<string, unknown>>;

/**
 * Records a split whose rows follow, by facts that were gathered before, if they can be had by what was written since.
 * Null for one that `executeOperation` should write whole: of few securities, one that closes some of them, one with
 * many that have stopped vesting, and a dry run. Throws the `Problem` that prevents it.
 */
export function executeLongSplit(
  tx: Tx,
  call: Call,
  command: Command,
  before: GatheredSplit | null = null,
): Executed | null {
  const split = askedSplit(command);
  const of = { orgId: call.orgId, stockClassId: split.stockClassId };
  if (command.dryRun === true || split.numerator === split.denominator) return null;
  if (!isLargeSplit(tx, of, SPLIT_SIZES.whole) || hasDeletedPlanOf(tx, of)) return null;
  const gathered = (before && caughtUp(tx, of, split, before)) ?? gatherNow(tx, call, split);
  const { sums, stopped } = gathered;
  if (sums.count <= SPLIT_SIZES.whole || sums.closing > 0 || stopped.length > STOPPED_MAX) return null;
  return record(tx, call, command, gathered);
}

function gatherNow(tx: Tx, call: Call, split: Split): GatheredSplit {
  finishRows(tx, call);
  return gatherSplit(tx, { orgId: call.orgId, stockClassId: split.stockClassId }, split);
}

/** Writes the rows of the organization's split under way: another one counts upon them. */
function finishRows(tx: Tx, call: Call): void {
  const noted = findSplitOfRows(tx, { orgId: call.orgId });
  if (noted === null) return;
  for (let reached: number | null = 0; reached !== null; ) reached = splitPiece(tx, call, noted.transactionId, reached);
  abandonLongWrite(tx, call.orgId, "split", noted.transactionId);
}

function record(tx: Tx, call: Call, command: Command, gathered: GatheredSplit): Executed {
  const { orgId, today } = call;
  const dated = { date: String(command.effectiveDate), today };
  refuseDistant(dated.date, today);
  const split = askedSplit(command, gathered);
  const { stockClassId, equityPlanIds } = split;
  const facts = new Loader(tx, orgId).load({
    classes: [stockClassId],
    plans: equityPlanIds,
    classTerms: true,
  });
  const decision = decideSplit(facts, command, gathered);
  for (const each of [operation.follows?.(command, facts) ?? []].flat()) {
    if ("securitiesOf" in each) refuseBefore(gathered.latest, each, dated);
    else refuseEarlier(tx, orgId, each, dated);
  }
  const decided = present(decision.entries[0], "the entry of a split");
  const transition = transitionOf(facts, decided, { stockClassId, issued: gathered.sums.issued });
  const { before, after, draft } = transition;
  const broken = call.importing === undefined ? brokenBy(tx, call, transition) : null;
  writeChanges(tx, call, transition);
  moveOpenSums(tx, orgId, OpenSums.of(orgId, gathered.open));
  const entries = appendEntries(tx, orgId, [toUnchained(call, draft)]);
  const { id } = present(entries[0], "the stored entry");
  noteRows(tx, call, id, split);
  for (const securityId of gathered.stopped) rewriteStop(tx, call, securityId);
  if (call.importing === undefined) refuseAhead(tx, call, { before, after, entries });
  if (broken) throw broken;
  describeAnew(tx, call, decision.described ?? []);
  enqueueTokens(tx, call, id, { facts, split });
  enqueueCapUpdates(tx, call, { before, after, classes: facts.classes });
  const { securities, stakeholders, plans: planRows } = facts;
  return { entries, before, after, made: [], isAudited: true, decision, securities, stakeholders, plans: planRows };
}

/** The class and its plans before and after the split. What securities add up to follows from the sums. */
function transitionOf(
  { state }: Facts,
  decided: EntryDraft,
  { stockClassId, issued }: { readonly stockClassId: string; readonly issued: Decimal },
) {
  const before = state.copy();
  const draft = applyDraft(state, decided);
  state.changeClass(stockClassId, { issued: state.stockClass(stockClassId).issued + issued });
  return { before, after: state, entries: [draft], draft };
}

/** What the rows that follow a split will be, member by member, for a dry run that tells them with the rest. */
export function describeRows(tx: Tx, orgId: string): Described[] {
  const described: Described[] = [];
  for (const { id, before, after } of eachDueSplit(tx, orgId)) {
    for (const field of TOLD) {
      if (after[field] === undefined) continue;
      described.push({ resourceType: "security", id, field, before: before[field], after: after[field] });
    }
  }
  return described;
}

/** The members that a split changes, in the order in which dry runs tell them. */
const TOLD = ["quantity", "planCharge", "pricePerShare", "exercisePrice"] as const;

function noteRows(tx: Tx, call: Call, transactionId: string, split: Split): void {
  const { orgId, at } = call;
  const { stockClassId, numerator, denominator, rounding, equityPlanIds } = split;
  insertSplitOfRows(tx, {
    ...{ orgId, transactionId, stockClassId, rounding, at },
    numerator: String(numerator),
    denominator: String(denominator),
    equityPlanIds: JSON.stringify(equityPlanIds),
    upTo: newestSecuritySeq(tx, orgId),
  });
  postponeLongWrite(tx, call, { kind: "split", subject: transactionId });
}

/** Has the class's tokens follow its stock. */
function enqueueTokens(
  tx: Tx,
  call: Call,
  transactionId: string,
  { facts, split }: { readonly facts: Facts; readonly split: Split },
): void {
  const { stockClassId } = split;
  if (!isTokenized(facts.classes.get(stockClassId))) return;
  tell(tx, call, { kind: "mirror-class", subject: { stockClassId, securityId: null, transactionId }, payload: {} });
}
