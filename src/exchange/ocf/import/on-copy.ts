// Runs an import on a throwaway copy of the database, for dry runs: the same code path, and no request waits for writes
// that are undone.
import { mkdtempSync } from "node:fs";
import { rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { giveToOwner } from "../../../kernel/files/ownership.ts";
import { copyAside } from "../../../storage/data-dir/copy-aside.ts";
import { DATABASE_FILE, openThrowaway } from "../../../storage/database/open.ts";
import { Writer } from "../../../storage/database/writer.ts";

/** Runs `work` on a copy of the database in `file`, which lies beside it and is removed again. */
export async function onCopy<T>(file: string, work: (writer: Writer) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(dirname(file), "dry-run-"));
  try {
    giveToOwner(folder);
    const copied = join(folder, DATABASE_FILE);
    await copyAside(file, copied);
    giveToOwner(copied);
    const copy = openThrowaway(copied);
    try {
      return await work(new Writer(copy, () => undefined));
    } finally {
      copy.sqlite.close();
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
