// `ocf validate` (DECISIONS section 13): everything that can be said about a package without a database. The checks
// stand in checks/; each adds its findings and none stops the others.
import { checkIssuances } from "./checks/issuances.ts";
import { checkLedger } from "./checks/ledger.ts";
import { checkManifest } from "./checks/manifest.ts";
import { checkObjects } from "./checks/objects.ts";
import { checkReferences } from "./checks/references.ts";
import { checkUsable } from "./checks/usable.ts";
import { checkVesting } from "./checks/vesting.ts";
import type { Finding } from "./finding.ts";
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
  checkManifest(ocf, findings);
  const index = checkObjects(ocf, findings);
  checkReferences(index, findings);
  checkIssuances(index, findings);
  checkVesting(index, findings);
  checkLedger(index, findings);
  checkUsable(index, findings);
  return { problems: findings.list, objects: index.count };
}
