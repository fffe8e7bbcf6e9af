// The validator's findings about the objects of a package, which an import reports for those that it imports: one set
// of checks for both. Existing records count as being in the package.

import { findEntry } from "../../../ledger/store.ts";
import { hasRecord } from "../../../storage/database/records.ts";
import type { Reader } from "../../../storage/database/sql.ts";
import { UNREADABLE_NAME } from "../checks/check-names.ts";
import type { Target } from "../checks/check-references.ts";
import { codecOf } from "../codec/registry.ts";
import { FILE_KINDS } from "../file-types.ts";
import { type Finding, Findings, type Place } from "../finding.ts";
import type { OcfPackage } from "../package.ts";
import type { Story } from "../story/read-story.ts";
import { checkStory } from "../validate.ts";
import { isIssuerOf } from "./changed/own-objects.ts";
import type { Remark, ReportBuilder } from "./report.ts";
import { findOriginal } from "./store.ts";

/** The faults of each object, by its place. */
export type Faults = ReadonlyMap<string, readonly Finding[]>;

/** A package that is to come into an organization. */
export interface Incoming {
  readonly db: Reader;
  readonly orgId: string;
  readonly ocf: OcfPackage;
  readonly story: Story;
}

/** Checks the package; what is wrong with the manifest itself is reported at once. */
export function* faultsOf({ db, orgId, ocf, story }: Incoming, report: ReportBuilder): Generator<void, Faults> {
  const findings = new Findings();
  yield* checkStory(ocf, story, findings, (target, id) => isThere(db, orgId, target, id));
  const told = findings.list.filter(isReported);
  for (const fault of told) {
    const isManifest = fault.index === null && fault.objectType === null && !LISTS.has(fault.pointer);
    if (isManifest) report.warn(fault.code, fault, fault.detail, fault.fix);
  }
  return Map.groupBy(
    told.filter(({ objectType }) => objectType !== null),
    keyOf,
  );
}

/** The manifest's lists of files, which an import does without: the files say what they are. */
const LISTS: ReadonlySet<string> = new Set(FILE_KINDS.map(({ manifestKey }) => `#/${manifestKey}`));

/**
 * Problems, names that people do not see as they are, and what the released version does not take of an object. Of two
 * objects that issue one security the import says itself which one it leaves out.
 */
function isReported({ severity, code, pointer }: Finding): boolean {
  if (code === "duplicate-security") return false;
  return severity === "problem" || code === UNREADABLE_NAME || (code === "development-version" && pointer !== "#");
}

function isThere(db: Reader, orgId: string, target: Target, id: string): boolean {
  const table = target === "SECURITY" ? "securities" : (codecOf(target)?.table ?? null);
  if (table !== null) return hasRecord(db, table, orgId, id);
  if (target === "ISSUER") return isIssuerOf(db, orgId, id);
  return findEntry(db, orgId, id) !== null || findOriginal(db, orgId, target, id) !== null;
}

/** Reports the faults of an imported object, except those that the import has reported at the same place. */
export function reportFaults(faults: Faults, place: Place, said: readonly Remark[], report: ReportBuilder): void {
  for (const fault of faults.get(keyOf(place)) ?? []) {
    if (!said.some((remark) => isAbout(remark, fault))) report.warn(fault.code, fault, fault.detail, fault.fix);
  }
}

/** Whether both are about one member, or say the same of what it is in. */
function isAbout({ code, pointer }: Remark, fault: Finding): boolean {
  if (pointer === fault.pointer && pointer !== "#") return true;
  return code === fault.code && (pointer === fault.pointer || fault.pointer.startsWith(`${pointer}/`));
}

function keyOf({ file, index }: Place): string {
  return `${index} ${file}`;
}
