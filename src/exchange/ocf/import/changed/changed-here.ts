// Refuses objects of a package that build on securities which were changed here since their import, or on classes or
// plans which were deleted here, with all that depends on them: they would take shares that have moved, create some out
// of nothing, or lose some.
import { findRecord } from "../../../../storage/database/records.ts";
import type { Row } from "../../../../storage/database/sql.ts";
import { namedClass } from "../../codec/issuance.ts";
import { pointerTo } from "../../finding.ts";
import { textOf } from "../../json.ts";
import type { ImportContext } from "../context.ts";
import type { EventStep } from "../plan.ts";
import { findLastSplitPiece, findOriginal, isIdUsed } from "../store.ts";
import { exists } from "./named-records.ts";
import { type Cause, inWords } from "./refused.ts";

/** Refuses the transaction if it builds on a change made here; returns whether it did. */
export function refuseChangedHere(context: ImportContext, step: EventStep): boolean {
  // Whatever is refused goes back to an entry that was made here, or a deletion.
  const { isAnyMadeHere, isAnyDeleted } = context.watch;
  const cause = isAnyMadeHere || isAnyDeleted ? causeAgainst(context, step) : null;
  if (cause === null) return false;
  const { code, since, member } = inWords(cause);
  const isOwn = isAbout(step, cause);
  const detail = isOwn ? `${since}.` : `${since}; the transaction builds on what was refused for that.`;
  const fix = "Record here by hand what of it holds nevertheless; importing it again will not take it in.";
  const place = { ...step, pointer: isOwn ? pointerTo(member) : "#" };
  context.report.refuseFor(cause, place, { code, detail, fix });
  note(context, step, cause);
  return true;
}

/** Whether the step itself names what was changed or deleted, and does not only build on what does. */
function isAbout(step: EventStep, { transactionId, securityId }: Cause): boolean {
  if (transactionId === undefined) return step.kind === "ISSUANCE";
  return securityId === undefined ? step.kind === "SPLIT" : step.sources.includes(securityId);
}

function note(context: ImportContext, step: EventStep, cause: Cause): void {
  const { refused } = context;
  const { value } = step;
  if (step.kind === "ISSUANCE") refused.securities.set(textOf(value, "security_id") ?? "", cause);
  else if (step.kind === "SPLIT") refused.classes.set(textOf(value, "stock_class_id") ?? "", cause);
  else if (step.kind === "ENDING") {
    for (const id of step.makes) if (!exists(context, "securities", id)) refused.securities.set(id, cause);
    for (const id of step.sources) refused.stale.set(id, cause);
  }
}

function causeAgainst(context: ImportContext, step: EventStep): Cause | null {
  if (step.kind === "ISSUANCE") return againstIssuance(context, step);
  return againstClass(context, step) ?? againstSources(context, step) ?? againstResults(context, step);
}

/** What an applied transaction makes is issued, come what may: else its shares would be nowhere. */
function againstIssuance(context: ImportContext, step: EventStep): Cause | null {
  const { refused, plan, tx, call } = context;
  const id = textOf(step.value, "security_id") ?? "";
  const cause = refused.securities.get(id) ?? againstDeleted(context, step);
  if (cause) return cause;
  const [maker] = plan.makers.get(id) ?? [];
  const isMade = maker && findOriginal(tx, call.orgId, maker.objectType, maker.id) !== null;
  return isMade ? null : (refused.classes.get(classOfIssuance(context, step) ?? "") ?? null);
}

/** Stock cannot be issued in a class that was deleted here, nor any security under such a plan. */
function againstDeleted(context: ImportContext, { type: { family }, value }: EventStep): Cause | null {
  const { watch, tx, call } = context;
  if (!watch.isAnyDeleted) return null;
  const isDeleted = (table: "share_classes" | "equity_plans", id: string) =>
    !exists(context, table, id) && isIdUsed(tx, table, call.orgId, id);
  const stockClassId = family === "STOCK" ? textOf(value, "stock_class_id") : null;
  if (stockClassId !== null && isDeleted("share_classes", stockClassId)) return { stockClassId };
  const equityPlanId = textOf(value, "stock_plan_id");
  return equityPlanId !== null && isDeleted("equity_plans", equityPlanId) ? { equityPlanId } : null;
}

/** Splits of classes with stock that was changed here, and all that a package says of a class after such a one. */
function againstClass(context: ImportContext, step: EventStep): Cause | null {
  const stockClassId = textOf(step.value, "stock_class_id");
  if (stockClassId === null) return null;
  return (
    context.refused.classes.get(stockClassId) ??
    (step.kind === "SPLIT" ? againstSplit(context, step, stockClassId) : null)
  );
}

/** A split that has begun goes on: what others change meanwhile is split first (ledger/splits/split-under-way.ts). */
function againstSplit({ watch, tx, call }: ImportContext, { id }: EventStep, stockClassId: string): Cause | null {
  const transactionId = watch.changeInClass(stockClassId);
  if (transactionId === null || findLastSplitPiece(tx, call.orgId, id) !== null) return null;
  return { stockClassId, transactionId };
}

function againstSources(context: ImportContext, step: EventStep): Cause | null {
  for (const id of step.sources) {
    const cause = againstSource(context, step, id);
    if (cause) return cause;
  }
  return null;
}

function againstSource(context: ImportContext, step: EventStep, id: string): Cause | null {
  const { refused, own, tx, call, plan } = context;
  const known = refused.securities.get(id) ?? own.balances.get(id);
  if (known) return known;
  const row = findRecord(tx, "securities", call.orgId, id);
  const issuance = plan.issuances.get(id);
  const stockClassId = row ? classOfRow(context, row) : issuance ? classOfIssuance(context, issuance) : null;
  const ofClass = refused.classes.get(stockClassId ?? "");
  if (ofClass) return ofClass;
  const { canonicalType, action } = step.type;
  if (canonicalType.startsWith("TX_VESTING_")) {
    // A count of shares before a split made here is not one of the shares after it; days and events hold for both.
    const isCount = row !== null && canonicalType === "TX_VESTING_ACCELERATION";
    const split = isCount ? (context.watch.splitHere(tx, row)?.transactionId ?? lateSplit(context, step, row)) : null;
    return causeOn(id, context.watch.factOf(id) ?? split);
  }
  // What was accepted is what the package issued, and by its holder then.
  if (action === "ACCEPTANCE") return row ? causeOn(id, context.watch.changeOf(tx, row)) : null;
  if (step.kind !== "ENDING" && action !== "REPRICING" && canonicalType !== "TX_STOCK_PLAN_RETURN_TO_POOL") return null;
  const change = row
    ? (context.watch.changeOf(tx, row) ?? lateSplit(context, step, row))
    : context.watch.changeOfDeleted(id);
  return causeOn(id, change) ?? refused.stale.get(id) ?? null;
}

/** A split made here that multiplied stock as it came in, and that the transaction is dated after. */
function lateSplit({ watch }: ImportContext, { day }: EventStep, row: Row<"securities">): string | null {
  const { type, stockClassId, grantDate } = row;
  if (type !== "STOCK" || stockClassId === null) return null;
  return watch.splitHereBetween(stockClassId, grantDate, day)?.transactionId ?? null;
}

function causeOn(securityId: string, transactionId: string | null): Cause | null {
  return transactionId === null ? null : { securityId, transactionId };
}

/** A transaction is refused where anything that it makes would be. */
function againstResults(context: ImportContext, step: EventStep): Cause | null {
  if (step.kind !== "ENDING") return null;
  for (const id of step.makes) {
    if (exists(context, "securities", id)) continue;
    const cause = context.refused.securities.get(id) ?? againstResult(context, step, id);
    if (cause) return cause;
  }
  return null;
}

function againstResult(context: ImportContext, step: EventStep, id: string): Cause | null {
  const { plan, refused } = context;
  const issuance = plan.issuances.get(id);
  const stockClassId = issuance ? classOfIssuance(context, issuance) : null;
  if (stockClassId !== null && issuance) {
    const cause = refused.classes.get(stockClassId) ?? againstSplitBetween(context, step, issuance, stockClassId);
    if (cause) return cause;
  }
  const other = issuance ? (againstDeleted(context, issuance) ?? againstLateResult(context, step, issuance)) : null;
  if (other) return other;
  for (const maker of plan.makers.get(id) ?? []) {
    const cause = maker === step || isImported(context, maker) ? null : againstSources(context, maker);
    if (cause) return cause;
  }
  return null;
}

/** A split made here between a transaction on stock and the later issuance of what it makes: the one is multiplied. */
function againstLateResult(
  { watch, tx, call }: ImportContext,
  step: EventStep,
  { value, day }: EventStep,
): Cause | null {
  for (const id of step.sources) {
    const source = findRecord(tx, "securities", call.orgId, id);
    const stockClassId = source?.type === "STOCK" ? source.stockClassId : null;
    if (stockClassId === null || textOf(value, "stock_class_id") !== stockClassId) continue;
    const split = watch.splitHereBetween(stockClassId, step.day, day);
    if (split) return { securityId: id, transactionId: split.transactionId };
  }
  return null;
}

/** A split that is to be refused, between a transaction and the later issuance of what it makes. */
function againstSplitBetween(
  context: ImportContext,
  step: EventStep,
  issuance: EventStep,
  stockClassId: string,
): Cause | null {
  const [from, to] = [step.day, issuance.day];
  if (from === to) return null;
  const between = (context.plan.splits.get(stockClassId) ?? []).filter(({ day }) => from < day && day <= to);
  const refused = between.find((split) => !isImported(context, split) && againstSplit(context, split, stockClassId));
  return refused ? againstSplit(context, refused, stockClassId) : null;
}

function isImported({ tx, call }: ImportContext, { objectType, id }: EventStep): boolean {
  return findOriginal(tx, call.orgId, objectType, id) !== null;
}

/** The class that an issuance names; an option that names none is of its plan's only one. */
function classOfIssuance(context: ImportContext, { type: { family }, value }: EventStep): string | null {
  const named = family === null ? null : namedClass(family, value).id;
  return named ?? onlyClassOf(context, textOf(value, "stock_plan_id"));
}

function classOfRow(context: ImportContext, { stockClassId, equityPlanId }: Row<"securities">): string | null {
  return stockClassId ?? onlyClassOf(context, equityPlanId);
}

function onlyClassOf({ tx, call }: ImportContext, planId: string | null): string | null {
  const plan = planId === null ? null : findRecord(tx, "equity_plans", call.orgId, planId);
  const [only, ...others]: string[] = plan === null ? [] : JSON.parse(plan.stockClassIds);
  return only !== undefined && others.length === 0 ? only : null;
}
