// The report of an import: counts, objects that existed already, warnings, and refused objects.
import { COUNTED, type Counted } from "../codec/counted.ts";
import type { Finding, Place } from "../finding.ts";
import type { Cause } from "./changed/refused.ts";

export { COUNTED, type Counted };

/** The issuer that a package names. */
export interface PackageIssuer {
  readonly id: string;
  readonly legalName: string | null;
  /** Whether an earlier import brought another one: then this is another company's package. */
  readonly isOther: boolean;
}

/** An object that existed already and was left as it is. */
export interface Conflict {
  /** The object type in lower case, without `tx_`: `stakeholder`, `stock_class`, `stock_issuance`. */
  readonly entityType: string;
  readonly id: string;
  readonly reason: string;
}

/**
 * A remark, or an object that was refused; as a finding of `ocf validate`, without its severity. A refusal because of a
 * change made here names that change.
 */
export type Remark = Omit<Finding, "severity"> & Partial<Cause>;

/** A reference that an earlier import had left out, and this one has set. */
export interface Healed {
  readonly objectType: string;
  readonly id: string;
  /** OCF's member, such as `stock_class_ids`. */
  readonly member: string;
}

/** The answer of an import. */
export interface ImportReport {
  /** Null where the package names none. */
  readonly issuer: PackageIssuer | null;
  readonly imported: Readonly<Record<Counted, number>>;
  readonly conflicts: readonly Conflict[];
  readonly healed: readonly Healed[];
  readonly warnings: readonly Remark[];
  readonly errors: readonly Remark[];
}

/** Remarks kept of each kind: a hostile package must not fill the memory with complaints. */
const KEPT_MAX = 20_000;

/** Collects the report while the import runs. */
export class ReportBuilder implements ImportReport {
  issuer: PackageIssuer | null = null;
  readonly imported = Object.fromEntries(COUNTED.map((name) => [name, 0])) as Record<Counted, number>;
  readonly conflicts: Conflict[] = [];
  readonly healed: Healed[] = [];
  readonly warnings: Remark[] = [];
  readonly errors: Remark[] = [];

  /** The report as it is answered. */
  told(): ImportReport {
    const { issuer, imported, conflicts, healed, warnings, errors } = this;
    return { issuer, imported, conflicts, healed, warnings, errors };
  }

  /** Marks the current state of the report; the function that it returns removes later remarks. */
  mark(): () => void {
    const imported = { ...this.imported };
    const lists = [this.conflicts, this.healed, this.warnings, this.errors];
    const lengths = lists.map((list) => list.length);
    return () => {
      Object.assign(this.imported, imported);
      for (const [i, list] of lists.entries()) list.length = lengths[i] ?? 0;
    };
  }

  count(what: Counted): void {
    this.imported[what]++;
  }

  conflict(objectType: string, id: string, reason: string): void {
    const entityType = objectType.toLowerCase().replace(/^tx_/, "");
    this.conflicts.push({ entityType, id, reason });
  }

  heal(objectType: string, id: string, member: string): void {
    this.healed.push({ objectType, id, member });
  }

  warn(code: string, place: Place, detail: string, fix: string): void {
    keep(this.warnings, remark(code, place, detail, fix));
  }

  /** Adds an object that was refused. */
  refuse(code: string, place: Place, detail: string, fix: string): void {
    keep(this.errors, remark(code, place, detail, fix));
  }

  /** Adds an object that was refused because of a change or deletion made here. */
  refuseFor(cause: Cause, place: Place, { code, detail, fix }: Pick<Remark, "code" | "detail" | "fix">): void {
    keep(this.errors, { ...remark(code, place, detail, fix), ...cause });
  }
}

function keep(list: Remark[], entry: Remark): void {
  if (list.length < KEPT_MAX) list.push(entry);
  else if (list.length === KEPT_MAX) {
    const more = `There is more than these ${KEPT_MAX}; the rest is not listed.`;
    list.push(remark("too-many-findings", {}, more, "Correct these first; `ocf validate` lists up to 100000."));
  }
}

/** A finding without its severity. */
function remark(code: string, place: Place, detail: string, fix: string): Remark {
  const { file = null, index = null, objectType = null, id = null, pointer = "#" } = place;
  return { code, file, index, objectType, id, pointer, detail, fix };
}
