// A dry run of an import: the same path on a throwaway copy of the database, so that nobody waits for what is undone.
import { mkdtempSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { giveToOwner } from "../../../kernel/files/ownership.ts";
import { copyDatabase } from "../../../storage/data-dir/copy-store.ts";
import { DATABASE_FILE, openWritable } from "../../../storage/database/open.ts";
import { Writer } from "../../../storage/database/writer.ts";

/** Runs `work` on a copy of the database in `file`, which lies beside it and is removed again. */
export async function onCopy<T>(file: string, work: (writer: Writer) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(dirname(file), "dry-run-"));
  try {
    giveToOwner(folder);
    const copied = join(folder, DATABASE_FILE);
    copyDatabase(file, copied);
    giveToOwner(copied);
    const copy = openWritable(copied);
    try {
      return await work(new Writer(copy, () => undefined));
    } finally {
      copy.sqlite.close();
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
