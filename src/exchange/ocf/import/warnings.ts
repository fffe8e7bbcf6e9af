// Warnings about the results of an import that are odd and allowed: the ones that the API answers, reported at the
// object.

import type { Warning, WarningCode } from "../../../kernel/warning.ts";
import { isoIssuedWarnings } from "../../../ledger/warnings/iso-warnings.ts";
import { issuedWarnings } from "../../../ledger/warnings/issue-warnings.ts";
import { votesBasisWarnings } from "../../../ledger/warnings/ratio-warnings.ts";
import { sameNameWarnings } from "../../../resources/stakeholders/same-name.ts";
import { findRecord } from "../../../storage/database/records.ts";
import { saysVotesBasis } from "../codec/class-rights.ts";
import { statusFromOcf } from "../codec/stakeholder.ts";
import { textOf } from "../json.ts";
import type { ImportContext, Imported } from "./context.ts";
import type { ImportPlan, Step } from "./plan.ts";

/** The member of the object that a warning is about, and what mends it. */
const TOLD: { readonly [code in WarningCode]?: readonly [member: string, fix: string] } = {
  "plan-expired": ["date", "Correct the date, or the plan's expiration date."],
  "expires-before-grant": ["expiration_date", "Correct one of the two dates."],
  "holder-former": ["stakeholder_id", "Correct the holder, or the holder's status."],
  "price-and-quantity-swapped": ["quantity", "Correct the two figures, if they stand in each other's place."],
  "iso-to-non-employee": ["stakeholder_id", "Correct the holder's relationships, or the kind of option."],
  "iso-term": ["expiration_date", "Correct the expiration date, or the kind of option."],
  "iso-ten-percent-holder": ["exercise_price", "Correct strike or expiration date, or the kind of option."],
  "iso-plan-approval": ["stock_plan_id", "Say when stockholders approved the plan."],
  "iso-plan-age": ["stock_plan_id", "Correct the dates of the plan, or the kind of option."],
  "same-name": ["name", "Merge the two, if they are one."],
  "votes-basis-assumed": ["votes_per_share", "Say how the class votes after the import, if it votes otherwise."],
};

/** Warns of the record or security that a step has made. */
export function warnOfMade(context: ImportContext, step: Step, { recordId, issued }: Imported): void {
  if (issued) warnOfIssue(context, step, issued);
  if (recordId === null || step.objectType !== "STAKEHOLDER") return;
  const row = findRecord(context.tx, "stakeholders", context.call.orgId, recordId);
  if (row) tell(context, step, sameNameWarnings(context.tx, row));
}

/**
 * Warns of the classes that a package brought without saying how they vote, where that makes a difference. To be asked
 * at its end: what they convert into, and adjustments of their ratios, come later than they.
 */
export function warnOfVotes(context: ImportContext): void {
  const { tx, call, plan, report } = context;
  const kept = new Set(report.conflicts.flatMap(({ entityType, id }) => (entityType === "stock_class" ? [id] : [])));
  for (const step of plan.steps) {
    if (step.objectType !== "STOCK_CLASS" || kept.has(step.id) || saysVotesBasis(step.value)) continue;
    const row = findRecord(tx, "share_classes", call.orgId, step.id);
    if (row?.classType === "PREFERRED") tell(context, step, votesBasisWarnings(tx, row));
  }
}

type Issued = NonNullable<Imported["issued"]>;

/** Of what another transaction made only its new holder is looked at: days, figures and kind are those of its source. */
function warnOfIssue(context: ImportContext, step: Step, { row, plans }: Issued): void {
  const { tx, plan, known } = context;
  const makers = plan.makers.get(row.id) ?? [];
  const isReceived = makers.some(({ type, balanceId }) => type.action === "TRANSFER" && balanceId !== row.id);
  if (makers.length > 0 && !isReceived) return;
  const loaded = { stakeholders: known.holders, plans };
  const all = [...issuedWarnings(tx, row, loaded), ...(isReceived ? [] : isoIssuedWarnings(tx, row, loaded))];
  const told = all.filter((warning) =>
    warning.code === "holder-former" ? isFormerThen(context, row, warning) : !isReceived,
  );
  tell(context, step, told);
}

type Status = ReturnType<typeof statusFromOcf>;
/** What a package says of holders' status, by holder and day. */
const STATUSES = new WeakMap<ImportPlan, ReadonlyMap<string, readonly { day: string; status: Status }[]>>();

function statusesIn(plan: ImportPlan) {
  const known = STATUSES.get(plan);
  if (known) return known;
  const found = new Map<string, { day: string; status: Status }[]>();
  for (const { objectType, value, day } of plan.transactions) {
    const holder = objectType === "CE_STAKEHOLDER_STATUS" ? textOf(value, "stakeholder_id") : null;
    if (holder === null) continue;
    const own = found.get(holder) ?? [];
    own.push({ day, status: statusFromOcf(value.new_status) });
    found.set(holder, own);
  }
  STATUSES.set(plan, found);
  return found;
}

/**
 * Whether the holder had left by the day of the issue, if the package says when; else it only says that the holder has
 * left by now, which is reported once.
 */
function isFormerThen(
  { plan, report }: ImportContext,
  { stakeholderId, grantDate }: Issued["row"],
  { code, detail }: Warning,
): boolean {
  const days = statusesIn(plan).get(stakeholderId ?? "");
  if (days) return days.findLast(({ day }) => day <= grantDate)?.status === "FORMER";
  return !report.warnings.some((each) => each.code === code && each.detail === detail);
}

function tell({ report }: ImportContext, step: Step, warnings: readonly Warning[]): void {
  for (const { code, detail } of warnings) {
    const [member, fix] = TOLD[code] ?? [];
    if (member && fix) report.warn(code, { ...step, pointer: `#/${member}` }, detail, fix);
  }
}
