// Messages of `ocf import` and `ocf validate`: a summary line, then a line for each kind of finding with its count and
// first place; or all findings.

import type { Finding } from "../../src/exchange/ocf/finding.ts";
import type { DryRunReport } from "../../src/exchange/ocf/import/dry-run.ts";
import {
  COUNTED,
  type Counted,
  type Healed,
  type ImportReport,
  type Remark,
} from "../../src/exchange/ocf/import/report.ts";
import type { Validation } from "../../src/exchange/ocf/validate.ts";
import { counted } from "../../src/kernel/text/text.ts";

/** What an import counts: one of it, and several. */
const NOUNS: Readonly<Record<Counted, readonly [one: string, several: string]>> = {
  stakeholders: ["stakeholder", "stakeholders"],
  stockClasses: ["stock class", "stock classes"],
  issuances: ["issuance", "issuances"],
  stockPlans: ["stock plan", "stock plans"],
  vestingTerms: ["set of vesting terms", "sets of vesting terms"],
  valuations: ["valuation", "valuations"],
  documents: ["document", "documents"],
  stockLegends: ["stock legend", "stock legends"],
  transactions: ["transaction", "transactions"],
  other: ["other object", "other objects"],
};
const ISSUANCE = /_ISSUANCE$/;
const HOLDER = "#/stakeholder_id";
/** What may mean that the wrong package was named: said before all else, however often there is something else. */
const FIRST: ReadonlySet<string> = new Set(["other-issuer", "other-name", "other-currency"]);

/** What an import did, or would do to `capTable`; each remark in a line of its own where `isAll`. */
export function wordsOfImport(
  report: ImportReport,
  capTable: DryRunReport["capTable"] | null,
  isAll: boolean,
): string[] {
  const { imported, conflicts, healed, warnings, errors } = report;
  const counts = COUNTED.filter((name) => imported[name] > 0).map((name) => counted(imported[name], ...NOUNS[name]));
  const did = `${capTable ? "Would import" : "Imported"} ${counts.join(", ") || "nothing"}`;
  const skipped = conflicts.length === 0 ? [] : [`${conflicts.length} there already`];
  const refused = errors.length === 0 ? [] : [`refused ${errors.length}`];
  const warned = warnings.length === 0 ? [] : [ofKinds(warnings, "warning")];
  const already = conflicts.map(({ entityType, id, reason }) => `there already: ${entityType} ${id}: ${reason}`);
  return [
    [did, ...skipped, ...refused, ...warned].join("; "),
    ...(isAll ? already : []),
    ...wordsOfHealed(healed, isAll),
    ...withoutHolder(warnings),
    ...(isAll ? errors.map((each) => `refused: ${wordsOf(each)}`) : summed("refused", errors)),
    ...(isAll ? warnings.map((each) => `warning: ${wordsOf(each)}`) : summed("warning", warnings)),
    ...(capTable ? [wordsOfChange(capTable)] : []),
    ...hint([errors, warnings], isAll, healed.length > 1),
  ];
}

/** What earlier imports had left out, and this one set. */
function wordsOfHealed(healed: readonly Healed[], isAll: boolean): string[] {
  const lines = healed.map(({ objectType, id, member }) => `${objectType} ${id}, ${member}`);
  if (isAll || lines.length <= 1) return lines.map((line) => `healed: ${line}`);
  return [`healed: ${counted(lines.length, "reference", "references")}, the first: ${lines[0]}`];
}

/** The sums of the cap table, now and after. */
function wordsOfChange({ before, after }: DryRunReport["capTable"]): string {
  const was = before.totals;
  const is = after.totals;
  return (
    `Cap table: fully diluted ${was.asConverted} now, ${is.asConverted} after; ` +
    `outstanding ${was.outstanding} now, ${is.outstanding} after`
  );
}

/** What a validation found, likewise. */
export function wordsOfValidation({ problems: found, objects }: Validation, isAll: boolean): string[] {
  const of = (severity: Finding["severity"]) => found.filter((finding) => finding.severity === severity);
  const [problems, warnings] = [of("problem"), of("warning")];
  return [
    `${ofKinds(problems, "problem")} and ${ofKinds(warnings, "warning")} in ${counted(objects, "object")}`,
    ...withoutHolder(found),
    ...(isAll
      ? found.map((finding) => `${finding.severity}: ${wordsOf(finding)}`)
      : [...summed("problem", problems), ...summed("warning", warnings)]),
    ...hint([problems, warnings], isAll),
  ];
}

/** How many there are, and of how many kinds. */
function ofKinds(remarks: readonly Remark[], noun: string): string {
  const kinds = kindsOf(remarks);
  return `${counted(remarks.length, noun)}${kinds === 0 ? "" : ` of ${counted(kinds, "kind")}`}`;
}

function kindsOf(remarks: readonly Remark[]): number {
  return new Set(remarks.map(({ code }) => code)).size;
}

/** A line for each kind: whose company it is, then the most frequent first. */
function summed(what: string, remarks: readonly Remark[]): string[] {
  const rank = ([remark]: readonly Remark[]) => (remark && FIRST.has(remark.code) ? 0 : 1);
  const byKind = [...Map.groupBy(remarks, ({ code }) => code).values()];
  const kinds = byKind.sort((a, b) => rank(a) - rank(b) || b.length - a.length);
  return kinds.flatMap((kind) => {
    const [first] = kind;
    if (first === undefined) return [];
    const place = kind.length === 1 ? "" : "the first: ";
    return [`${what}: ${first.code}: ${kind.length}, ${place}${wordsOf(first)}`];
  });
}

/** Where a line stands for several. */
function hint(lists: readonly (readonly Remark[])[], isAll: boolean, isMore = false): string[] {
  const isWhole = isAll || (!isMore && lists.every((remarks) => remarks.length === kindsOf(remarks)));
  return isWhole ? [] : ["(--all lists each of them)"];
}

/** Securities without a holder, which no command but `captable cap-table` shows. */
function withoutHolder(remarks: readonly Remark[]): string[] {
  const isOne = ({ objectType, pointer }: Remark) => pointer === HOLDER && ISSUANCE.test(objectType ?? "");
  const found = remarks.filter(isOne);
  const [first] = found;
  if (first === undefined) return [];
  const count = new Set(found.map(({ file, index, id }) => `${file} ${index} ${id}`)).size;
  const what = counted(count, "security has no holder", "securities have no holder");
  return [`${what}, ${count === 1 ? "" : "the first "}in ${placeOf(first)}`];
}

function placeOf({ file, index, objectType, id, pointer }: Remark): string {
  const entry = index === null ? "" : ` entry ${index + 1}`;
  const what = [objectType, id].filter((part) => part !== null).join(" ");
  const parts = [`${file ?? "package"}${entry}`, what, pointer === "#" ? "" : pointer];
  return parts.filter((part) => part !== "").join(", ");
}

/** A finding in one line: where, what, and what to do. */
function wordsOf(remark: Remark): string {
  return `${placeOf(remark)}: ${remark.detail} ${remark.fix} [${remark.code}]`;
}
