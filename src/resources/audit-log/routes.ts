// The audit log, for administrators: who changed what, through what. It cannot be written to from outside.
import { cutPage, readPage, scopeOf } from "../../database/paging.ts";
import { body } from "../../kernel/fields.ts";
import type { ReadRoute } from "../../route.ts";
import { listEnvelope, PAGE_QUERY } from "../crud.ts";
import { presenter } from "../present.ts";
import { AuditEntry, AuditFilters } from "./schema.ts";
import { type LogFilters, listAuditEntries } from "./store.ts";

const show = presenter(AuditEntry);

/** The one route of the audit log. */
export const auditLogRoutes: readonly ReadRoute[] = [
  {
    method: "GET",
    path: "/api/v1/audit-log",
    operationId: "listAuditEntries",
    tag: "Audit log",
    summary: "List audit entries",
    description: "Every write of any kind, with the columns that it changed, as a hash chain. Newest first.",
    role: "ADMIN",
    status: 200,
    isExtension: true,
    query: body({ ...AuditFilters.properties, ...PAGE_QUERY }),
    response: listEnvelope("items", AuditEntry),
    run(db, { orgId, query }) {
      const { limit: _limit, cursor: _cursor, ...given } = query;
      const filters = Object.fromEntries(
        Object.entries(given).filter(([, value]) => value !== undefined),
      ) as LogFilters;
      const scope = scopeOf(orgId, "audit_log", filters);
      const { limit, before } = readPage(scope, query);
      const page = cutPage(scope, listAuditEntries(db, { orgId, filters, before, limit: limit + 1 }), limit);
      return { status: 200, json: { items: page.rows.map(show), nextCursor: page.nextCursor } };
    },
  },
];
