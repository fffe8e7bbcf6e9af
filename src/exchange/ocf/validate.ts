// `ocf validate`: all checks of a package that need no database. The checks stand in checks/; each adds its findings
// and none stops the others.
import { checkIssuances } from "./checks/check-issuances.ts";
import { checkManifest } from "./checks/check-manifest.ts";
import { checkNames } from "./checks/check-names.ts";
import { checkObjects } from "./checks/check-objects.ts";
import { checkReferences, type Elsewhere } from "./checks/check-references.ts";
import { checkUsable } from "./checks/check-usable.ts";
import { checkVesting } from "./checks/check-vesting.ts";
import type { Finding, Findings } from "./finding.ts";
import { GarbageWatch } from "./import/collect-garbage.ts";
import type { OcfPackage } from "./package.ts";
import { readStory, type Story } from "./story/read-story.ts";
import { replay } from "./story/replay.ts";

/** The result of a validation. */
export interface Validation {
  /** Problems and warnings together, in the order in which they were found: reading, manifest, objects, ledger. */
  readonly problems: readonly Finding[];
  /** The objects in the package, the issuer included. */
  readonly objects: number;
}

/** Checks a package that was read; its findings come first in the result, and those of the checks are added to it. */
export function validatePackage(ocf: OcfPackage): Validation {
  const garbage = new GarbageWatch(ocf.files.reduce((count, { items }) => count + items.length, 0));
  // Reading leaves more behind than the package itself takes.
  garbage.collect();
  const checking = validation(ocf);
  for (;;) {
    const step = checking.next();
    if (step.done) return step.value;
    garbage.look();
  }
}

function* validation(ocf: OcfPackage): Generator<void, Validation> {
  const { findings } = ocf;
  const story = yield* readStory(ocf);
  yield* checkStory(ocf, story, findings, () => false);
  checkUsable(story, findings);
  return { problems: findings.list, objects: story.count };
}

/**
 * The checks that an import makes too; they yield now and then. An object for which `isElsewhere` is true may be named
 * without being in the package.
 */
export function* checkStory(
  ocf: OcfPackage,
  story: Story,
  findings: Findings,
  isElsewhere: Elsewhere,
): Generator<void> {
  checkManifest(ocf, findings);
  yield* checkObjects(story, findings);
  yield* checkNames(story, findings);
  yield* checkReferences(story, findings, isElsewhere);
  yield* checkIssuances(story, findings);
  yield* checkVesting(story, findings);
  yield* replay(story, findings);
}
