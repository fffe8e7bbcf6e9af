// An export as a stream of bytes with a database connection of its own: one read transaction from the first byte to the
// last, closed when the stream ends, fails or is let go of. Whoever reads it should read on: an open snapshot keeps
// SQLite's log from shrinking.
import { openSnapshot } from "../../database/snapshot.ts";
import type { Reader } from "../../database/sql.ts";
import { fileNameOf } from "./file-name.ts";
import type { ExportKey } from "./include.ts";
import { findOrganization } from "./store.ts";

/** An export under way. */
export interface OpenExport {
  readonly fileName: string;
  /** The zip. Must be read to its end or cancelled. */
  readonly content: ReadableStream<Uint8Array>;
}

/** How much may lie ready for a reader that is slower than the writer. */
const READY_BYTES_MAX = 256 * 1024;

/** Begins the export of an organization from the database in `file`, as of this moment. */
export function openExport(file: string, orgId: string, keys: ReadonlySet<ExportKey>, nowMs: number): OpenExport {
  const db = openSnapshot(file);
  const close = () => void (db.sqlite.open && db.sqlite.close());
  try {
    const legalName = findOrganization(db, orgId)?.legalName ?? "";
    return { fileName: fileNameOf(legalName, nowMs), content: streamOf(zipOf(db, orgId, keys, nowMs), close) };
  } catch (error) {
    close();
    throw error;
  }
}

function streamOf(bytes: AsyncGenerator<Uint8Array, void>, close: () => void): ReadableStream<Uint8Array> {
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
