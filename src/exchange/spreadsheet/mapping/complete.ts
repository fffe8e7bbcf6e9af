// Completes the rows of a mapped workbook to those of the template: what is outstanding is issued on its own day,
// classes, plans and holders that are only named are made with assumed figures, and the file's own sums must agree.
import { formatDecimal, parseDecimal } from "../../../kernel/numbers/decimal.ts";
import { foldName } from "../../../kernel/text/names.ts";
import { TARGETS } from "../file/template.ts";
import { assumed, type Completing } from "../rows/assumed.ts";
import { said } from "../rows/read-field.ts";
import { soughtIn } from "../rows/row.ts";
import { numberRows } from "../rows/row-numbers.ts";
import { compareTotals } from "../rows/stated-totals.ts";
import type { SheetRow } from "../rows/understand.ts";
import { withClassNames } from "./class-names.ts";
import { completeHolders } from "./complete-holders.ts";
import { tellRepeated, withoutSums } from "./doubtful.ts";
import type { MappedRow } from "./map-tables.ts";
import { NEXT } from "./mapping.ts";
import { withRequired } from "./required.ts";
import { scheduled } from "./schedule-rows.ts";

const SECURITIES: ReadonlySet<string> = new Set(["stock", "options", "warrants", "convertibles"]);

/** The rows as the template would have them. */
export function completeRows(rows: readonly MappedRow[], completing: Completing): SheetRow[] {
  const given = withClassNames(rows, completing.directory).flatMap((row) =>
    SECURITIES.has(row.to) ? security(row, completing) : [row],
  );
  const inTable = new Set(
    given.filter(({ to }) => to === "stakeholders").map((row) => foldName(said(row, "holder") ?? "")),
  );
  const isKnown = (row: SheetRow) =>
    inTable.has(foldName(said(row, "holder") ?? "")) || completing.directory.holders.find(soughtIn(row)) !== "unknown";
  const kept = withoutSums(given, completing.found, isKnown).map((row) => withRequired(row, completing.found));
  compareTotals(kept, completing);
  const classes = completeClasses(kept, completing);
  const plans = completePlans(kept, completing);
  const other = kept.filter(({ to }) => !DESCRIBED.has(to));
  const taken = new Set(rows.flatMap((row) => said(row, "certificate") ?? []));
  const numbered = numberRows(other, { ...completing, given: taken, classes });
  tellRepeated(numbered, completing.found);
  // Numbering finds holders who have another name now.
  const there = kept.filter((row) => isDescribedAndThere(row, completing));
  const described = kept.filter(({ to }) => to === "stakeholders");
  // The holder of a row that is found again is the current one, under any name in the row.
  const holding = numbered.filter((row) => SECURITIES.has(row.to) && row.recorded === undefined);
  const holders = completeHolders(described, holding, completing);
  const made: SheetRow[] = [...holders, ...classes, ...plans];
  return [...made, ...scheduled([...there, ...numbered], completing)].sort(
    (a, b) => TARGETS.indexOf(a.to) - TARGETS.indexOf(b.to),
  );
}

const DESCRIBED: ReadonlySet<string> = new Set(["stakeholders", "share-classes", "equity-plans"]);

/** Whether a row describes a holder, class or plan that is recorded already: it is compared with that. */
function isDescribedAndThere(row: SheetRow, { directory }: Completing): boolean {
  if (row.to === "stakeholders") return directory.holders.find(soughtIn(row)) !== "unknown";
  if (row.to === "share-classes") return directory.stockClass(said(row, "class") ?? "") !== "unknown";
  return row.to === "equity-plans" && directory.plan(said(row, "plan") ?? "") !== "unknown";
}

/** A security with its outstanding quantity; nothing if it is closed, or of an unsupported kind. */
function security(row: MappedRow, { mapping, found, skipUnsupported, act }: Completing): MappedRow[] {
  if (row.unsupportedAt) {
    if (skipUnsupported) act(row, "leftOut");
    else
      found.problem(
        "unsupported-award",
        row.unsupportedAt,
        "is of a kind that is not kept",
        "Take it out, or import with skipUnsupported.",
      );
    return [];
  }
  if (mapping.mode === "FULL") return [row];
  if (row.isClosed) {
    act(row, "closed");
    return [];
  }
  const outstanding = row.fields.get("outstanding");
  if (!outstanding || row.unsaidAt !== null) return [row];
  return [{ ...row, fields: new Map([...row.fields, ["quantity", outstanding]]) }];
}

/** The outstanding quantity of a group of securities, and what their plan says is still available. */
function sumOf(rows: readonly SheetRow[], plan?: SheetRow): string {
  const available = parseDecimal((plan && said(plan, "available")) ?? "0");
  return formatDecimal(rows.reduce((total, row) => total + parseDecimal(said(row, "quantity") ?? "0"), available));
}

/** The prefix of new numbers, such as `CS-`: that of existing ones, else common stock's, or the name's. */
function prefixOf(
  rows: readonly SheetRow[],
  { name, isPreferred }: { readonly name: string; readonly isPreferred: boolean },
) {
  const numbers = rows.flatMap((row) => said(row, "certificate") ?? []);
  const prefix = numbers.map((number) => /^(.*?)(?<!\d)\d+$/.exec(number)?.[1]).find((each) => each !== undefined);
  if (prefix) return prefix.slice(0, 20);
  if (!isPreferred && numbers.includes(NEXT)) return "CS-";
  const letters = name.replace(/[^A-Za-z]/g, "").slice(0, 3);
  return `${letters.toUpperCase()}-`;
}

/** Names of missing records, with the rows that give them. */
function namesIn(rows: readonly SheetRow[], field: string, isKnown: (name: string) => boolean) {
  const names = new Map<string, { readonly name: string; readonly rows: SheetRow[] }>();
  for (const row of rows) {
    const name = said(row, field);
    if (name === undefined || isKnown(name)) continue;
    const group = names.get(foldName(name)) ?? { name, rows: [] };
    names.set(foldName(name), group);
    group.rows.push(row);
  }
  return names;
}

function completeClasses(rows: readonly MappedRow[], completing: Completing): SheetRow[] {
  const { directory } = completing;
  const isKnown = (name: string) => directory.stockClass(name) !== "unknown";
  const described = rows.filter(({ to }) => to === "share-classes");
  const names = namesIn([...described, ...rows.filter(({ to }) => SECURITIES.has(to))], "class", isKnown);
  let seniority = names.size;
  return [...names.values()].flatMap(({ name, rows: named }) => {
    const [own] = named.filter(({ to }) => to === "share-classes");
    const stock = named.filter(({ to }) => to === "stock");
    const [first] = named;
    if (!first) return [];
    const isPreferred = /preferred|series|seed/i.test(name);
    return [
      assumed(completing, "share-classes", own ?? first, {
        class: name,
        classType: (own && said(own, "classType")) ?? (isPreferred ? "PREFERRED" : "COMMON"),
        prefix: (own && said(own, "prefix")) ?? prefixOf(stock, { name, isPreferred }),
        authorized: (own && said(own, "authorized")) ?? sumOf(stock),
        votes: (own && said(own, "votes")) ?? "1",
        seniority: (own && said(own, "seniority")) ?? String(seniority--),
        parValue: own && said(own, "parValue"),
        issuePrice: own && said(own, "issuePrice"),
      }),
    ];
  });
}

function completePlans(rows: readonly MappedRow[], completing: Completing): SheetRow[] {
  const { directory } = completing;
  const names = namesIn(rows, "plan", (name) => directory.plan(name) !== "unknown");
  const common = rows.map((row) => said(row, "class")).find((name) => name !== undefined && /common/i.test(name));
  return [...names.values()].flatMap(({ name, rows: named }) => {
    const [own] = named.filter(({ to }) => to === "equity-plans");
    const [first] = named;
    if (!first) return [];
    const classes = new Set(
      named.filter(({ to }) => to === "options").map((row) => said(row, "class") ?? common ?? ""),
    );
    return [
      assumed(completing, "equity-plans", own ?? first, {
        plan: name,
        reserved:
          (own && said(own, "reserved")) ??
          sumOf(
            named.filter(({ to }) => SECURITIES.has(to)),
            own,
          ),
        classes: [...classes].filter((each) => each !== "").join(";") || common,
      }),
    ];
  });
}
