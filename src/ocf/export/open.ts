// An export as a stream of bytes with a database connection of its own: one read transaction from the first byte to the
// last, closed when the stream ends, fails or is let go of. Few run at once, since an open snapshot keeps SQLite's log
// from shrinking.
import { openSnapshot } from "../../database/snapshot.ts";
import type { Reader } from "../../database/sql.ts";
import { Problem } from "../../kernel/problem.ts";
import { fileNameOf } from "./file-name.ts";
import type { ExportKey } from "./include.ts";
import { findOrganization } from "./store.ts";

/** An export under way. */
export interface OpenExport {
  readonly fileName: string;
  /** The zip. Must be read to its end or cancelled. */
  readonly content: ReadableStream<Uint8Array>;
}

const EXPORTS_MAX = 8;
const RETRY_AFTER_SECONDS = 5;
/** How much may lie ready for a reader that is slower than the writer. */
const READY_BYTES_MAX = 256 * 1024;

let open = 0;

/**
 * Begins the export of an organization from the database in `file`, as of this moment. Throws `429 rate-limited` while
 * as many as may be are under way.
 */
export function openExport(file: string, orgId: string, keys: ReadonlySet<ExportKey>, nowMs: number): OpenExport {
  if (open >= EXPORTS_MAX) {
    const detail = "Several exports are under way already; try again in a few seconds.";
    throw new Problem("rate-limited", detail, undefined, RETRY_AFTER_SECONDS);
  }
  const db = openSnapshot(file);
  open++;
  const close = () => {
    if (!db.sqlite.open) return;
    db.sqlite.close();
    open--;
  };
  try {
    const legalName = findOrganization(db, orgId)?.legalName ?? "";
    return { fileName: fileNameOf(legalName, nowMs), content: streamOf(db, orgId, keys, nowMs, close) };
  } catch (error) {
    close();
    throw error;
  }
}

function streamOf(db: Reader, orgId: string, keys: ReadonlySet<ExportKey>, nowMs: number, close: () => void) {
  const bytes = zipOf(db, orgId, keys, nowMs);
  const end = async () => {
    await bytes.return(undefined);
    close();
  };
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const { done, value } = await bytes.next();
          if (value) controller.enqueue(value);
          if (!done) return;
          await end();
          controller.close();
        } catch (error) {
          await end();
          controller.error(error);
        }
      },
      cancel: end,
    },
    new ByteLengthQueuingStrategy({ highWaterMark: READY_BYTES_MAX }),
  );
}

/** What maps records to OCF and compresses is loaded with the first export. */
async function* zipOf(db: Reader, orgId: string, keys: ReadonlySet<ExportKey>, nowMs: number) {
  const [{ packageFiles }, { zipStream }] = await Promise.all([import("./package.ts"), import("../write.ts")]);
  yield* zipStream(packageFiles(db, orgId, keys, nowMs));
}
