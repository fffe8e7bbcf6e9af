// Lets the power fail during a script that was played, brings up what the disk is left with as a start of the program
// does, and tells what is then wrong with it.
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { verifyDatabase } from "../../../src/safekeeping/verify/verify.ts";
import { prepareDatabase } from "../../../src/server/service/bootstrap.ts";
import { refuseDamage } from "../../../src/storage/data-dir/damage.ts";
import { openDataDirectory } from "../../../src/storage/data-dir/directory.ts";
import { randomFrom } from "../../kit/random.ts";
import { broken, type Contents, contentsOf, lacksFirstKey, misremembered, type Promised } from "./acknowledged.ts";
import { writeImage } from "./disk-image.ts";
import { type Played, QUICK_FOLDER } from "./stage.ts";

/** What a power cut left behind. */
export interface Outage {
  /** The folder; the data directory is `data` in it. */
  readonly folder: string;
  /** What had been promised when the power failed. */
  readonly promised: readonly Promised[];
  remove(): void;
}

/** Lets the power fail at a moment, and in a way, that follow from `seed`. */
export function cutPower({ history, promises }: Played, seed: number): Outage {
  const random = randomFrom(seed);
  // Half of the cuts come right after something was promised: that is when most is at stake.
  const moments = random() < 0.5 && promises.size > 0 ? [...promises.values()] : history.moments();
  const cut = (moments[Math.floor(random() * moments.length)] ?? 0) + 1;
  const folder = mkdtempSync(join(QUICK_FOLDER, "captable-image-"));
  writeImage(history.imageAt(cut, random), folder, random);
  const promised = [...promises].filter(([, at]) => at < cut).map(([promise]) => promise);
  return { folder, promised, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

/**
 * What is wrong with a folder after a fault: nothing, if all is well. Starts on it as the program does. `later` is what
 * it became where there was no fault.
 */
export async function faultsIn(
  folder: string,
  promised: readonly Promised[],
  later: Contents | null,
): Promise<string[]> {
  const dataDir = join(folder, "data");
  if (!existsSync(dataDir) && promised.length === 0) return [];
  try {
    refuseDamage(dataDir);
    const db = openDataDirectory(dataDir);
    try {
      await prepareDatabase(db, null);
      const { differences } = verifyDatabase(db);
      const contents = contentsOf(db);
      return [
        ...differences.map(({ code, subject, detail }) => `${code}: ${subject}: ${detail}`),
        ...broken(promised, contents, folder),
        ...(later === null ? [] : misremembered(contents, later)),
        ...lacksFirstKey(contents, dataDir),
      ];
    } finally {
      db.sqlite.close();
    }
  } catch (failure) {
    return [`it does not start: ${String(failure)}`];
  }
}
