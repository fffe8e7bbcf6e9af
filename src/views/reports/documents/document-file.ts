// Documents as files, made as reports are.

import { problem } from "../../../kernel/problem.ts";
import { requireName } from "../../../resources/organization/store.ts";
import type { FileReply } from "../../../resources/route.ts";
import { openSnapshot } from "../../../storage/database/snapshot.ts";
import type { Reader } from "../../../storage/database/sql.ts";
import { readHead } from "../report-company.ts";
import { reportFile } from "../report-file.ts";
import { findEntryAt, findVestingOf } from "../store.ts";
import { PAGES_MAX, TooManyPages } from "./document-model.ts";
import { type DocumentAsked, draw, type MadeDocument, makeDocument } from "./make.ts";

/** The time of the entry that a document goes up to, or at which the organization was made. */
export function timeOf(db: Reader, { facts: { orgId, sequence } }: MadeDocument): string {
  return findEntryAt(db, { orgId, sequence })?.createdAt ?? readHead(db, orgId, { knownAt: null, upTo: 0 }).createdAt;
}

/** The file of a document, named after the organization; `database` is the database's file. */
export function documentFile(database: string, asked: DocumentAsked, fontFolder: string | null): FileReply {
  let missing: readonly string[] = [];
  if (asked.kind !== "S") withSnapshot(database, (db) => requireName(db, asked.orgId));
  const { orgId, knownAt, asOf, today } = asked;
  return reportFile(
    { database, orgId, knownAt, asOf: asOf ?? today },
    {
      name: nameOf(database, asked),
      extension: "pdf",
      contentType: "application/pdf",
      isHeadSecret: asked.isCopy === true,
      async *bytes(db) {
        const made = makeDocument(db, asked);
        const drawn = await draw(made, timeOf(db, made), fontFolder).catch((error: unknown) => {
          throw error instanceof TooManyPages ? tooLong(asked) : error;
        });
        missing = drawn.missing;
        yield drawn.bytes;
      },
      trailers: () => (missing.length > 0 ? { "x-captable-missing-glyphs": missing.join(" ") } : {}),
    },
  );
}

function tooLong({ kind }: DocumentAsked) {
  const list = kind === "H" ? "securities.csv?stakeholderId=" : "securities.csv";
  return problem("validation-failed", `The document would have more than ${PAGES_MAX} pages: take ${list}.`);
}

function nameOf(database: string, { kind, orgId, subjectId, asOf, today }: DocumentAsked): string {
  if (kind === "S") return `cap-table-${asOf ?? today}`;
  if (kind === "H") return `statement-${asOf ?? today}`;
  const found = withSnapshot(database, (db) => findVestingOf(db, { orgId, id: subjectId }));
  return (found?.certificateId ?? subjectId).replace(/[^\p{L}\p{N}._-]+/gu, "-");
}

function withSnapshot<T>(database: string, read: (db: ReturnType<typeof openSnapshot>) => T): T {
  const db = openSnapshot(database);
  try {
    return read(db);
  } finally {
    db.sqlite.close();
  }
}
