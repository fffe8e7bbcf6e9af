// A data directory for histories, with its writer; and the same restored from a backup.
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { restoreBackup } from "../../src/safekeeping/backup/restore.ts";
import { takeBackup } from "../../src/safekeeping/backup/take.ts";
import { prepareDatabase } from "../../src/server/service/bootstrap.ts";
import { openDataDirectory } from "../../src/storage/data-dir/directory.ts";
import type { Reader } from "../../src/storage/database/sql.ts";
import { Writer } from "../../src/storage/database/writer.ts";
import { writeMigrated } from "../kit/migrated.ts";
import { TODAY } from "./model/dates.ts";

const NOW_MS = Date.parse(`${TODAY}T12:00:00Z`);
const onStage = () => undefined;

export class Home {
  static #restores = 0;
  readonly #folder: string;
  readonly #dataDir: string;
  readonly db: Reader;
  readonly writer: Writer;

  private constructor(folder: string, dataDir: string, db: Reader) {
    this.#folder = folder;
    this.#dataDir = dataDir;
    this.db = db;
    // Histories are not about what a power cut leaves.
    db.sqlite.pragma("synchronous = OFF");
    this.writer = new Writer(db, (error) => {
      throw error;
    });
  }

  /** Makes an empty one. */
  static async open(): Promise<Home> {
    const folder = mkdtempSync(join(tmpdir(), "captable-property-"));
    const dataDir = join(folder, "data");
    mkdirSync(dataDir, { mode: 0o700 });
    await writeMigrated(dataDir);
    const home = new Home(folder, dataDir, openDataDirectory(dataDir));
    await prepareDatabase(home.db, "test");
    return home;
  }

  /** Takes a backup, lets something be done, and opens in its place what the backup restores. */
  async restored(meanwhile: () => Promise<void>): Promise<Home> {
    const file = join(this.#folder, "backup.captable");
    await takeBackup(this.#dataDir, file, NOW_MS, onStage);
    await meanwhile();
    this.db.sqlite.close();
    // The data that each replaces is kept in a folder named by its instant.
    const nowMs = NOW_MS + 1000 * Home.#restores++;
    await restoreBackup(file, this.#dataDir, { isForced: true, nowMs, onStage });
    return new Home(this.#folder, this.#dataDir, openDataDirectory(this.#dataDir));
  }

  /** Closes and removes it. */
  close(): void {
    this.db.sqlite.close();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
