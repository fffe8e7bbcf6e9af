// Imports the transactions that end no security: on classes and plans, on vesting, repricings, and changes of
// stakeholders.

import { formatDecimal, parseDecimal, ZERO } from "../../../kernel/numbers/decimal.ts";
import { type ImportedEffect, toStored } from "../../../ledger/imported-members.ts";
import type { Needs } from "../../../ledger/operation.ts";
import { withoutNulls } from "../../../ledger/operations/parts.ts";
import { datesBy } from "../../../ledger/operations/vesting-parts.ts";
import { typesThat } from "../../../ledger/replay/event.ts";
import { latestAdjustment, latestTerms } from "../../../ledger/replay/replay-store.ts";
import { isHeldAgainstPlan, writeCharges } from "../../../ledger/rules/charges.ts";
import { adjustTerms } from "../../../ledger/rules/class-terms.ts";
import type { EntryDraft, Metadata } from "../../../ledger/types.ts";
import type { VestingCondition, VestingEntry } from "../../../ledger/vesting/vesting-types.ts";
import { recordAcceptance } from "../../../ledger/writes/acceptance.ts";
import { describeAnew, recordDecision } from "../../../ledger/writes/execute.ts";
import { Loader } from "../../../ledger/writes/load.ts";
import { changeLogged } from "../../../storage/database/log/logged.ts";
import { findRecord, getRecord } from "../../../storage/database/records.ts";
import type { Row } from "../../../storage/database/sql.ts";
import { EVENT_MEMBERS, newRatioOf } from "../codec/event-codec.ts";
import { chargeFor, toldCharge } from "../codec/plan-charge.ts";
import { relationshipFromOcf, STAKEHOLDER, statusFromOcf } from "../codec/stakeholder.ts";
import { approvalDates, commentsText, dateText, mappedColumns, requiredDate } from "../codec/values.ts";
import { startsWhole } from "../codec/vesting-terms.ts";
import { listOf, textOf } from "../json.ts";
import { NAMED, resolve } from "./changed/named-records.ts";
import { type ImportContext, type Imported, originalOnly } from "./context.ts";
import { freeEntryId, wordsOf } from "./entry.ts";
import { returnsOf } from "./late/returns.ts";
import type { Step } from "./plan.ts";
import { hasAcceptance, updateMapped } from "./store.ts";

/** What is imported of each type; types that are not named here are kept as originals only. */
const EVENTS: Readonly<Record<string, (context: ImportContext, step: Step) => Imported>> = {
  TX_STOCK_CLASS_AUTHORIZED_SHARES_ADJUSTMENT: (context, step) =>
    onClass(context, step, EVENT_MEMBERS.TX_STOCK_CLASS_AUTHORIZED_SHARES_ADJUSTMENT(step.value)),
  TX_STOCK_CLASS_CONVERSION_RATIO_ADJUSTMENT: importRatioAdjustment,
  TX_STOCK_PLAN_POOL_ADJUSTMENT: (context, step) =>
    onPlan(context, step, EVENT_MEMBERS.TX_STOCK_PLAN_POOL_ADJUSTMENT(step.value)),
  TX_STOCK_PLAN_RETURN_TO_POOL: (context, step) => {
    const members = EVENT_MEMBERS.TX_STOCK_PLAN_RETURN_TO_POOL(step.value);
    const metadata = toStored(insteadOfDefault(context, step, members));
    return onPlan(context, step, { ...metadata, charges: restatedCharge(context, step) });
  },
  TX_EQUITY_COMPENSATION_REPRICING: (context, step) => {
    const metadata = toStored(EVENT_MEMBERS.TX_EQUITY_COMPENSATION_REPRICING(step.value));
    return onSecurity(context, step, { type: "STOCK_PLAN_ADJUSTMENT", metadata });
  },
  TX_VESTING_START: importVestingStart,
  TX_VESTING_EVENT: importVestingEvent,
  TX_VESTING_ACCELERATION: (context, step) =>
    onSecurity(context, step, {
      type: "VESTING_ACCELERATION",
      ...EVENT_MEMBERS.TX_VESTING_ACCELERATION(step.value),
      metadata: { reason: textOf(step.value, "reason_text") },
    }),
  TX_STOCK_ACCEPTANCE: importAcceptance,
  TX_EQUITY_COMPENSATION_ACCEPTANCE: importAcceptance,
  TX_WARRANT_ACCEPTANCE: importAcceptance,
  TX_CONVERTIBLE_ACCEPTANCE: importAcceptance,
  CE_STAKEHOLDER_RELATIONSHIP: (context, step) => onStakeholder(context, step, relationshipsAfter),
  CE_STAKEHOLDER_STATUS: (context, step) =>
    onStakeholder(context, step, (_row, { value }) => ({ status: statusFromOcf(value.new_status) })),
};

/** Imports an event. Throws `Refusal` if a required value is missing. */
export function importEvent(context: ImportContext, step: Step): Imported {
  return EVENTS[step.type.canonicalType]?.(context, step) ?? originalOnly("transactions");
}

type ReturnedMembers = ImportedEffect & { readonly returned: string };

type Draft = Pick<EntryDraft, "type" | "metadata"> & Partial<Omit<EntryDraft, "id">>;

const COMMENTS_MAX = 2000;
const ADJUSTMENTS = typesThat("adjusted");

/** Records one entry with the object's id and date. */
function record(context: ImportContext, step: Step, needs: Needs, draft: Draft): Imported {
  const { tx, call, limits } = context;
  const { objectType } = step;
  const facts = new Loader(tx, call.orgId).load(needs);
  for (const id of [...facts.classes.keys(), ...facts.plans.keys()]) {
    const latest = ADJUSTMENTS.includes(draft.type) ? latestAdjustment(tx, call.orgId, id) : null;
    if (latest !== null) facts.state.adjusted.set(id, latest);
  }
  const entry: EntryDraft = {
    securityId: null,
    stakeholderId: draft.securityId ? (facts.securities.get(draft.securityId)?.stakeholderId ?? null) : null,
    quantity: null,
    effectiveDate: requiredDate(step.value, "date"),
    ...draft,
    id: freeEntryId(context, step),
    metadata: withoutNulls({ ...draft.metadata, description: wordsOf(step.value), ...toStored({ objectType }) }),
  };
  const recorded = recordDecision(tx, call, facts, { entries: [entry] }, { isImport: true });
  limits.note(recorded.before, recorded.after, step);
  return { ...originalOnly("transactions"), recordId: recorded.entries[0]?.id ?? null };
}

function onClass(context: ImportContext, step: Step, members: EntryDraft["metadata"]): Imported {
  const stockClassId = resolve(context, step, NAMED.stockClass, textOf(step.value, "stock_class_id"));
  if (stockClassId === null) return originalOnly("transactions");
  const metadata = { stockClassId, ...members, ...approvalDates(step.value) };
  return record(context, step, { classes: [stockClassId] }, { type: "STOCK_CLASS_ADJUSTMENT", metadata });
}

/**
 * Sets how a preferred class converts from the transaction's day on; what cannot be read, or is of common stock,
 * changes nothing, and no more does what is older than what sets it now.
 */
function importRatioAdjustment(context: ImportContext, step: Step): Imported {
  const { tx, call } = context;
  const to = newRatioOf(step.value);
  const id = textOf(step.value, "stock_class_id") ?? "";
  const row = to && findRecord(tx, "share_classes", call.orgId, id);
  if (to === null || row?.classType !== "PREFERRED") return onClass(context, step, {});
  const latest = latestTerms(tx, call.orgId, id);
  if (latest !== null && requiredDate(step.value, "date") < latest) {
    const detail = `What sets how ${row.name} converts is of ${latest} in this ledger, which stays.`;
    context.report.warn("older-terms", step, detail, "Adjust the conversion by hand if the older one is to hold.");
    return onClass(context, step, {});
  }
  const { classTerms: records } = new Loader(tx, call.orgId).load({ classTerms: true });
  const { described, classTerms } = adjustTerms(records, id, to);
  const imported = onClass(context, step, { conversionRight: withoutNulls({ ...to }), classTerms });
  describeAnew(tx, call, described);
  return imported;
}

function onPlan(context: ImportContext, step: Step, members: EntryDraft["metadata"]): Imported {
  const equityPlanId = resolve(context, step, NAMED.plan, textOf(step.value, "stock_plan_id"));
  if (equityPlanId === null) return originalOnly("transactions");
  const securityId = resolve(context, step, NAMED.security, textOf(step.value, "security_id"));
  const metadata = { equityPlanId, ...members, ...approvalDates(step.value) };
  const needs = { plans: [equityPlanId], ...(members.charges ? { securities: [securityId] } : {}) };
  return record(context, step, needs, { type: "STOCK_PLAN_ADJUSTMENT", securityId, metadata });
}

/** The charge that a return states for its security; undefined if it is not new. */
function restatedCharge({ tx, call }: ImportContext, { value }: Step): Metadata["charges"] {
  const told = toldCharge(value);
  const row = told && findRecord(tx, "securities", call.orgId, textOf(value, "security_id") ?? "");
  const planId = textOf(value, "stock_plan_id");
  if (!row || row.equityPlanId !== planId || !isHeldAgainstPlan(row.type, planId)) return undefined;
  const before = row.planCharge === null ? null : parseDecimal(row.planCharge);
  const after = chargeFor(told, parseDecimal(row.quantity)) || null;
  return before === after ? undefined : writeCharges([{ securityId: row.id, equityPlanId: planId, before, after }]);
}

/** What an import before this one returned by the plan's default, as nothing said otherwise, counts for this return. */
function insteadOfDefault({ tx, call }: ImportContext, { value }: Step, members: ReturnedMembers): ReturnedMembers {
  const { isSaid, byDefault } = returnsOf(tx, call.orgId, textOf(value, "security_id") ?? "");
  if (isSaid || byDefault === ZERO) return members;
  const returned = formatDecimal(parseDecimal(members.returned) - byDefault);
  return { ...members, returned, replaced: formatDecimal(byDefault) };
}

function onSecurity(context: ImportContext, step: Step, draft: Draft): Imported {
  const securityId = resolve(context, step, NAMED.security, textOf(step.value, "security_id"));
  if (securityId === null) return originalOnly("transactions");
  return record(context, step, { securities: [securityId] }, { securityId, ...draft });
}

function importVestingEvent(context: ImportContext, step: Step): Imported {
  const conditionId = textOf(step.value, "vesting_condition_id");
  const date = requiredDate(step.value, "date");
  const dates = conditionId === null ? undefined : datesOf(context, step, { kind: "HAPPENED", date, conditionId });
  return onSecurity(context, step, { type: "VESTING_EVENT", metadata: { conditionId, dates } });
}

/** A record of its own, which moves no shares; of an unknown security, or without a day, the original alone is kept. */
function importAcceptance(context: ImportContext, step: Step): Imported {
  const { tx, call } = context;
  const { orgId } = call;
  const securityId = resolve(context, step, NAMED.security, textOf(step.value, "security_id"));
  const day = dateText(step.value, "date");
  if (securityId === null || day === null) return originalOnly("transactions");
  const { stakeholderId } = getRecord<Row<"securities">>(tx, "securities", orgId, securityId);
  const comments = commentsText(step.value)?.slice(0, COMMENTS_MAX).toWellFormed() ?? null;
  const id = hasAcceptance(tx, { orgId, id: step.id }) ? call.newId() : step.id;
  const acceptedAt = `${day}T00:00:00.000Z`;
  recordAcceptance(tx, call, { id, securityId, stakeholderId, kind: "IMPORTED", acceptedAt, comments });
  return { ...originalOnly("transactions"), recordId: id };
}

/** The days that waiting shares get by it where terms bear on the security no more, as after a split or a transfer. */
function datesOf({ tx, call }: ImportContext, { value }: Step, fact: VestingEntry) {
  const id = textOf(value, "security_id") ?? "";
  if (findRecord(tx, "securities", call.orgId, id) === null) return undefined;
  const facts = new Loader(tx, call.orgId).load({ securities: [id], vestingOf: [id] });
  return datesBy(facts, facts.state.security(id), fact);
}

/** OCF's start condition starts the whole; another condition only itself. */
function importVestingStart(context: ImportContext, step: Step): Imported {
  const { tx, call } = context;
  const vestingConditionId = textOf(step.value, "vesting_condition_id");
  const date = requiredDate(step.value, "date");
  const security = findRecord(tx, "securities", call.orgId, textOf(step.value, "security_id") ?? "");
  const isWhole = startsWhole(conditionsOf(context, security?.vestingTermsId ?? null), vestingConditionId);
  if (security && isWhole) {
    changeLogged(tx, call, "securities", security.id, { vestingStartDate: date, updatedAt: call.at });
  }
  const conditionId = isWhole ? null : vestingConditionId;
  const dates = isWhole ? undefined : datesOf(context, step, { kind: "STARTED", date, conditionId });
  const metadata = { conditionId, vestingConditionId, dates };
  return onSecurity(context, step, { type: "VESTING_START", metadata });
}

function conditionsOf({ tx, call }: ImportContext, vestingTermsId: string | null): readonly VestingCondition[] {
  const terms = vestingTermsId === null ? null : findRecord(tx, "vesting_terms", call.orgId, vestingTermsId);
  return terms === null ? [] : JSON.parse(terms.vestingConditions);
}

type StakeholderChange = Partial<Pick<Row<"stakeholders">, "status" | "relationships">>;

function onStakeholder(
  context: ImportContext,
  step: Step,
  changeOf: (row: Row<"stakeholders">, step: Step) => StakeholderChange,
): Imported {
  const { tx, call } = context;
  const named = textOf(step.value, "stakeholder_id");
  const stakeholderId = resolve(context, step, NAMED.holder, named);
  if (stakeholderId === null) return originalOnly("transactions");
  const row = getRecord<Row<"stakeholders">>(tx, "stakeholders", call.orgId, stakeholderId);
  const change = changeOf(row, step);
  changeLogged(tx, call, "stakeholders", stakeholderId, { ...change, updatedAt: call.at });
  context.known.holders.delete(stakeholderId);
  const mapped = mappedColumns({ ...row, ...change }, STAKEHOLDER.columns);
  updateMapped(context, "STAKEHOLDER", stakeholderId, mapped);
  const metadata = { changed: Object.keys(change) };
  return record(context, step, {}, { type: "STAKEHOLDER_UPDATE", stakeholderId, metadata });
}

function relationshipsAfter(row: Row<"stakeholders">, { value }: Step): StakeholderChange {
  const words = (name: string) => [...listOf(value, name), value[name]].map(relationshipFromOcf);
  const [ended, started] = [words("relationship_ended"), words("relationship_started")];
  const before: string[] = JSON.parse(row.relationships);
  const after = [...before.filter((word) => !ended.includes(word)), ...started.filter((word) => word !== null)];
  return { relationships: JSON.stringify([...new Set(after)]) };
}
