// Route of the audit log, for administrators: author, values and instant of every write. Read-only.

import { body } from "../../kernel/fields.ts";
import { pageOf, scopeOf } from "../../storage/database/paging.ts";
import { listEnvelope } from "../crud.ts";
import { filtersIn, PAGE_QUERY } from "../list-query.ts";
import { presenter } from "../present.ts";
import type { ReadRoute } from "../route.ts";
import { AuditEntry, AuditFilters } from "./schema.ts";
import { listAuditEntries } from "./store.ts";

const show = presenter(AuditEntry);

/** The one route of the audit log. */
export const auditLogRoutes: readonly ReadRoute[] = [
  {
    method: "GET",
    path: "/api/v1/audit-log",
    operationId: "listAuditEntries",
    tag: "Audit log",
    summary: "List audit entries",
    description:
      "Every write of any kind, with the columns that it changed, and every export (type `log`, method `exported`; one " +
      "an hour for a caller and route), as a hash chain. Newest first.",
    role: "ADMIN",
    status: 200,
    isExtension: true,
    query: body({ ...AuditFilters.properties, ...PAGE_QUERY }),
    response: listEnvelope("items", AuditEntry),
    run(db, { orgId, query }) {
      const filters = filtersIn(query);
      const scope = scopeOf(orgId, "audit_log", filters);
      const page = pageOf(scope, query, (range) => listAuditEntries(db, { orgId, filters, ...range }));
      return { status: 200, json: { items: page.rows.map(show), nextCursor: page.nextCursor } };
    },
  },
];
