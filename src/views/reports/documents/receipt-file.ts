// Receipts of acceptances as files.
import { dateOf } from "../../../kernel/runtime.ts";
import { showAcceptance } from "../../../resources/acceptances/present-acceptance.ts";
import { findLogRow } from "../../../resources/acceptances/store.ts";
import { getOrganization } from "../../../resources/organization/store.ts";
import type { FileReply } from "../../../resources/route.ts";
import { findAny } from "../../../storage/database/records.ts";
import { findSetting } from "../../../storage/database/settings.ts";
import type { Reader, Row } from "../../../storage/database/sql.ts";
import type { MemberRole } from "../../../storage/records/member.ts";
import { reportFile } from "../report-file.ts";
import { isOnLetter } from "../xlsx/workbook.ts";
import { PRODUCER } from "./make.ts";
import { type Received, receiptOf } from "./receipt.ts";
import { legalNameOf } from "./words.ts";

/** The receipt of an acceptance, as a caller of this role sees it. `database` is the database's file. */
export function receiptFile(
  database: string,
  row: Row<"acceptances">,
  { fontFolder, role }: { readonly fontFolder: string | null; readonly role: MemberRole | undefined },
): FileReply {
  const { orgId, id, createdAt } = row;
  let missing: readonly string[] = [];
  return reportFile(
    { database, orgId, knownAt: null, asOf: createdAt.slice(0, 10) },
    {
      name: `acceptance-${row.acceptedAt.slice(0, 10)}-${id.slice(-6)}`.replace(/[^\w.-]+/g, "-"),
      extension: "pdf",
      contentType: "application/pdf",
      isHeadSecret: true,
      async *bytes(db) {
        const received = readReceived(db, row, role);
        const { drawDocument } = await import("../pdf/draw.ts");
        const drawn = await drawDocument(receiptOf(received), {
          code: null,
          knownAt: null,
          facts: row.shown ?? "{}",
          producer: PRODUCER,
          made: dateOf(createdAt),
          isLetter: isOnLetter({ organization: getOrganization(db, orgId) }),
          isTest: findSetting(db, "environment") === "test",
          fontFolder,
        });
        missing = drawn.missing;
        yield drawn.bytes;
      },
      trailers: () => (missing.length > 0 ? { "x-captable-missing-glyphs": missing.join(" ") } : {}),
    },
  );
}

function readReceived(db: Reader, row: Row<"acceptances">, role: MemberRole | undefined): Received {
  const { orgId, id, securityId, stakeholderId, documentId } = row;
  const holder = stakeholderId === null ? null : findAny(db, "stakeholders", orgId, stakeholderId);
  const document = documentId === null ? null : findAny(db, "documents", orgId, documentId);
  return {
    acceptance: showAcceptance(row, role),
    legalName: getOrganization(db, orgId).legalName,
    certificateId: findAny(db, "securities", orgId, securityId)?.certificateId ?? null,
    holder: holder && legalNameOf(holder),
    document: document?.title ?? null,
    logged: findLogRow(db, { orgId, id }),
  };
}
