// `ocf validate` (DECISIONS section 13): everything that can be said about a package without a database. The checks
// stand in checks/; each adds its findings and none stops the others.
import { checkIssuances } from "./checks/issuances.ts";
import { checkLedger } from "./checks/ledger.ts";
import { checkManifest } from "./checks/manifest.ts";
import { checkNames } from "./checks/names.ts";
import { checkObjects, type PackageIndex } from "./checks/objects.ts";
import { checkReferences, type Elsewhere } from "./checks/references.ts";
import { checkUsable } from "./checks/usable.ts";
import { checkVesting } from "./checks/vesting.ts";
import type { Finding, Findings } from "./finding.ts";
import { type OcfPackage, readPackage } from "./package.ts";

/** What a validation found. */
export interface Validation {
  /** Problems and warnings together, in the order in which they were found: reading, manifest, objects, ledger. */
  readonly problems: readonly Finding[];
  /** The objects in the package, the issuer included. */
  readonly objects: number;
}

/** Checks the package at `path`, a zip or a folder. Throws only where there is nothing to read at that path. */
export async function validatePath(path: string): Promise<Validation> {
  return validatePackage(await readPackage(path));
}

/** Checks a package that was read; its findings come first in the result, and those of the checks are added to it. */
export function validatePackage(ocf: OcfPackage): Validation {
  const { findings } = ocf;
  const index = atOnce(checkPackage(ocf, findings, () => false));
  checkUsable(index, findings);
  return { problems: findings.list, objects: index.count };
}

/** The same beside a server's requests, which need not wait for it. */
export async function validateGently(ocf: OcfPackage): Promise<Validation> {
  const { findings } = ocf;
  const checking = checkPackage(ocf, findings, () => false);
  let step = checking.next();
  while (!step.done) {
    await new Promise((resume) => setImmediate(resume));
    step = checking.next();
  }
  checkUsable(step.value, findings);
  return { problems: findings.list, objects: step.value.count };
}

/** The checks that an import makes too; they yield now and then. What `isElsewhere` may be named without being here. */
export function* checkPackage(
  ocf: OcfPackage,
  findings: Findings,
  isElsewhere: Elsewhere,
): Generator<void, PackageIndex> {
  checkManifest(ocf, findings);
  const index = yield* checkObjects(ocf, findings);
  yield* checkNames(index, findings);
  yield* checkReferences(index, findings, isElsewhere);
  yield* checkIssuances(index, findings);
  yield* checkVesting(index, findings);
  yield* checkLedger(index, findings);
  return index;
}

function atOnce<T>(calculation: Generator<void, T>): T {
  for (;;) {
    const step = calculation.next();
    if (step.done) return step.value;
  }
}
