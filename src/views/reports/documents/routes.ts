// Certificates, statements and the summary over HTTP.

import { body } from "../../../kernel/fields.ts";
import { toUtcDate } from "../../../kernel/runtime.ts";
import { getAcceptance } from "../../../resources/acceptances/routes.ts";
import { later, type ReadRequest, type ReadRoute } from "../../../resources/route.ts";
import { requireRecord } from "../../../storage/database/records.ts";
import type { Reader } from "../../../storage/database/sql.ts";
import { BASIS, MOMENT, readAsked, readBasis } from "../query.ts";
import { REPORT } from "../routes.ts";
import type { documentFile } from "./document-file.ts";
import type { DocumentKind } from "./document-model.ts";

const PDF_TYPE = "application/pdf";

const CHECKED =
  "It carries a code and a QR code by which `captable verify` holds the paper against the ledger. The same entry gives " +
  "the same bytes.";

/** What draws documents, with the fonts of a folder, too. */
interface Drawing {
  readonly file: typeof documentFile;
  readonly fontFolder: string | null;
}

const drawn = (run: (file: typeof documentFile) => ReadRoute["run"]) =>
  later(
    () => import("./document-file.ts"),
    (module) => run(module.documentFile),
  );

/** A document of the request. */
function answer(
  db: Reader,
  subject: { readonly kind: DocumentKind; readonly id: string },
  { orgId, query, nowMs }: ReadRequest,
  { file, fontFolder }: Drawing,
) {
  const { knownAt } = readAsked(query, nowMs);
  const today = toUtcDate(nowMs);
  const { kind, id: subjectId } = subject;
  const asked = { kind, orgId, subjectId, asOf: query.asOf ?? null, today, knownAt, basis: readBasis(query) };
  return { status: 200, file: file(db.sqlite.name, asked, fontFolder) } as const;
}

/** The routes of documents; `fontFolder` has more fonts, null without such a folder. */
export const paperRoutes = (fontFolder: string | null): readonly ReadRoute[] => [
  {
    ...REPORT,
    path: "/api/v1/reports/cap-table.pdf",
    operationId: "getCapTableSummaryDocument",
    summary: "Get the cap table on one page",
    description: `Classes, the largest holders, the pool and the totals. ${CHECKED}`,
    fileType: PDF_TYPE,
    exports: "PDF",
    query: body({ ...MOMENT, ...BASIS }),
    run: drawn((file) => (db, request) => answer(db, { kind: "S", id: request.orgId }, request, { file, fontFolder })),
  },
  {
    ...REPORT,
    path: "/api/v1/securities/:id/certificate.pdf",
    operationId: "getSecurityCertificate",
    summary: "Get a security's certificate",
    description:
      "A stock or warrant certificate, or the statement of a grant or a convertible, with its legends. Without vesting " +
      `it is by default of the day of the last entry that changed the security. ${CHECKED}`,
    fileType: PDF_TYPE,
    problems: [404, 409],
    query: body(MOMENT),
    run: drawn((file) => (db, request) => {
      const id = request.params.id ?? "";
      requireRecord(db, "securities", request.orgId, id);
      return answer(db, { kind: "C", id }, request, { file, fontFolder });
    }),
  },
  {
    ...REPORT,
    path: "/api/v1/stakeholders/:id/statement.pdf",
    operationId: "getStakeholderStatement",
    summary: "Get a stakeholder's statement",
    description: `What one holder has, type by type, with totals. ${CHECKED}`,
    fileType: PDF_TYPE,
    problems: [404, 409],
    query: body(MOMENT),
    run: drawn((file) => (db, request) => {
      const id = request.params.id ?? "";
      requireRecord(db, "stakeholders", request.orgId, id);
      return answer(db, { kind: "H", id }, request, { file, fontFolder });
    }),
  },
  {
    ...REPORT,
    hasHead: false,
    path: "/api/v1/acceptances/:id/receipt.pdf",
    operationId: "getAcceptanceReceipt",
    summary: "Get the receipt of an acceptance",
    description: "What was accepted, by whom and when, and where the log has it.",
    fileType: PDF_TYPE,
    problems: [404],
    run: later(
      () => import("./receipt-file.ts"),
      ({ receiptFile }) =>
        (db, { orgId, params, role }) => {
          const row = getAcceptance(db, orgId, params.id ?? "");
          return { status: 200, file: receiptFile(db.sqlite.name, row, { fontFolder, role }) };
        },
    ),
  },
];
