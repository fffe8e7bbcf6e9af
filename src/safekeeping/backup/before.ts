// Backups before migrations and imports, in the data directory's own folder: neither can be undone except by restoring
// one. The oldest are deleted, like scheduled ones.
import { mkdirSync, readdirSync, rmSync } from "node:fs";
import { basename, join } from "node:path";
import { giveToOwner } from "../../kernel/files/ownership.ts";
import { systemRuntime, toTimestamp } from "../../kernel/runtime.ts";
import { BACKUPS_FOLDER } from "../../storage/data-dir/names.ts";
import { removeLeftOvers } from "./schedule.ts";

const NAME = /^before-(.+)-(\d{4}-\d{2}-\d{2}T\d{2}-\d{2}-\d{2}-\d{3}Z)\.captable$/;
const IMPORT = "import";
/** How many of each kind are kept: backups before imports do not push out those before a migration. */
const KEPT = 5;

/** Writes a backup named after what comes next, `import` or a migration, removes the oldest of the kind; returns the file. */
export async function backUpBefore(dataDir: string, what: string): Promise<string> {
  const { takeBackup } = await import("./take.ts");
  const nowMs = systemRuntime.nowMs();
  const folder = join(dataDir, BACKUPS_FOLDER);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  giveToOwner(folder);
  removeLeftOvers(folder, nowMs);
  const stamp = toTimestamp(nowMs).replace(/[:.]/g, "-");
  const file = join(folder, `before-${what}-${stamp}.captable`);
  await takeBackup(dataDir, file, nowMs, () => undefined);
  const isLike = (other: string) => (other === IMPORT) === (what === IMPORT);
  for (const name of oldest(readdirSync(folder), isLike, stamp)) {
    if (name !== basename(file)) rmSync(join(folder, name));
  }
  return file;
}

/** The surplus backups of a kind, besides the one of `now`: first those from before the clock was set back. */
function oldest(names: readonly string[], isLike: (what: string) => boolean, now: string): string[] {
  const found = names.flatMap((name) => {
    const [, what = "", stamp = ""] = NAME.exec(name) ?? [];
    return stamp !== "" && isLike(what) ? [{ name, stamp }] : [];
  });
  found.sort((one, other) => (one.stamp < other.stamp ? -1 : 1));
  const inOrder = [...found.filter(({ stamp }) => stamp > now), ...found.filter(({ stamp }) => stamp <= now)];
  return inOrder.slice(0, -KEPT).map(({ name }) => name);
}
