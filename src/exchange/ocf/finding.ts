// Findings of the checks of an OCF package, in words for a lawyer's assistant: which file, which object, which field,
// what is wrong, what to do. No check throws on bad input; it adds a finding. No I/O here.

/** `problem`: official readers refuse it, or the ledger breaks. `warning`: worth knowing, the package still works. */
export type Severity = "problem" | "warning";

/** One fault of a package, as `ocf validate` and an import's report show it. */
export interface Finding {
  readonly severity: Severity;
  /** A stable word for the kind of fault, such as `missing-field` or `more-than-held`. */
  readonly code: string;
  /** The file's name within the package; null when the whole package is meant. */
  readonly file: string | null;
  /** The object's place in the file's `items`, from 0; null when the file itself or the manifest is meant. */
  readonly index: number | null;
  readonly objectType: string | null;
  readonly id: string | null;
  /** JSON Pointer fragment into the object (`#/quantity`), or into the file where `index` is null. */
  readonly pointer: string;
  readonly detail: string;
  readonly fix: string;
}

/** The place of a finding. A missing member is null; `pointer` then is `#`. */
export interface Place {
  readonly file?: string | null;
  readonly index?: number | null;
  readonly objectType?: string | null;
  readonly id?: string | null;
  readonly pointer?: string;
}

/** Findings kept at most: a hostile package must not fill the memory with complaints. */
const FINDINGS_MAX = 100_000;

/** Collects findings in the order in which they are made, up to 100,000 of them. */
export class Findings {
  readonly list: Finding[] = [];

  problem(code: string, place: Place, detail: string, fix: string): void {
    this.#add(findingAt(place, { severity: "problem", code, detail, fix }));
  }

  warning(code: string, place: Place, detail: string, fix: string): void {
    this.#add(findingAt(place, { severity: "warning", code, detail, fix }));
  }

  /** Adds what was collected apart. */
  addAll({ list }: Findings): void {
    for (const finding of list) this.#add(finding);
  }

  #add(finding: Finding): void {
    if (this.list.length > FINDINGS_MAX) return;
    if (this.list.length === FINDINGS_MAX) {
      const detail = `There are more than ${FINDINGS_MAX} findings; the rest is not listed.`;
      const fix = "Correct these first, then check again.";
      this.list.push(findingAt({}, { severity: "problem", code: "too-many-findings", detail, fix }));
      return;
    }
    this.list.push(finding);
  }
}

/** A finding without its place. */
type Said = Pick<Finding, "severity" | "code" | "detail" | "fix">;

function findingAt(place: Place, { severity, code, detail, fix }: Said): Finding {
  const { file = null, index = null, objectType = null, id = null, pointer = "#" } = place;
  return { severity, code, file, index, objectType, id, pointer, detail, fix };
}

/** Shows a value in a message: as JSON, shortened to about 80 characters. */
export function shown(value: unknown): string {
  const text = typeof value === "string" ? JSON.stringify(value.slice(0, 100)) : (summary(value) ?? "nothing");
  return text.length > 80 ? `${text.slice(0, 79)}…` : text;
}

function summary(value: unknown): string | undefined {
  if (Array.isArray(value)) return `a list of ${value.length}`;
  return value !== null && typeof value === "object" ? "an object" : JSON.stringify(value);
}

/** Appends member names to a JSON Pointer fragment, escaped as RFC 6901 says. */
export function pointerTo(...steps: readonly (string | number)[]): string {
  return ["#", ...steps.map((step) => String(step).replaceAll("~", "~0").replaceAll("/", "~1"))].join("/");
}
