// Papers of the portal: the certificate of a security, and a statement of a holder's securities. They are copies
// without figures of other holders or of the whole.

import { notFound } from "../../kernel/problem.ts";
import { toUtcDate } from "../../kernel/runtime.ts";
import { type Expense, later, type ReadRequest, type ReadRoute } from "../../resources/route.ts";
import { requireRecord } from "../../storage/database/records.ts";
import type { Reader } from "../../storage/database/sql.ts";
import type { documentFile } from "../reports/documents/document-file.ts";
import { ownOf } from "./own.ts";

const drawing = () => import("../reports/documents/document-file.ts");

const common = {
  ...({ method: "GET", tag: "Portal", role: "STAKEHOLDER", isExtension: true, status: 200 } as const),
  ...({ fileType: "application/pdf", problems: [404, 409] } as const),
  expense: (): Expense => "report",
} as const;

const COPY =
  "A copy for the holder: it is not signed, and says nothing of other holders or of the whole. Its code is held against " +
  "the ledger as that of any other document.";

function copy(
  db: Reader,
  kind: "C" | "H",
  { orgId, params, nowMs }: ReadRequest,
  ownIds: readonly string[],
  { file, fontFolder }: { readonly file: typeof documentFile; readonly fontFolder: string | null },
) {
  const today = toUtcDate(nowMs);
  const of = { kind, orgId, subjectId: params.id ?? "", asOf: null, today, knownAt: null } as const;
  const asked = { ...of, basis: "FULLY_DILUTED", isCopy: true, ownIds } as const;
  return { status: 200, file: file(db.sqlite.name, asked, fontFolder) } as const;
}

/** The routes; `fontFolder` has more fonts, null without such a folder. */
export const portalPaperRoutes = (fontFolder: string | null): readonly ReadRoute[] => [
  {
    ...common,
    path: "/api/v1/portal/securities/:id/certificate.pdf",
    operationId: "getPortalCertificate",
    summary: "Get the certificate of one's own security",
    description: `What the certificate says, with its legends. ${COPY}`,
    run: later(drawing, ({ documentFile: file }) => (db, request) => {
      const own = ownOf(db, request);
      requireRecord(db, "securities", request.orgId, request.params.id ?? "");
      return copy(db, "C", request, own.ids, { file, fontFolder });
    }),
  },
  {
    ...common,
    path: "/api/v1/portal/stakeholders/:id/statement.pdf",
    operationId: "getPortalStatement",
    summary: "Get a statement of what one holds",
    description: `What the holder has today, type by type, with totals. ${COPY}`,
    run: later(drawing, ({ documentFile: file }) => (db, request) => {
      const own = ownOf(db, request);
      if (!own.has(request.params.id ?? "")) throw notFound("stakeholder");
      return copy(db, "H", request, own.ids, { file, fontFolder });
    }),
  },
];
