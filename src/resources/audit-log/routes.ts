// The audit log, for administrators: who changed what, through what. It cannot be written to from outside.
import { cutPage, readPage, scopeOf } from "../../database/paging.ts";
import { body } from "../../kernel/fields.ts";
import type { ReadRoute } from "../../route.ts";
import { listEnvelope, PAGE_QUERY } from "../crud.ts";
import { presenter } from "../present.ts";
import { AuditEntry } from "./schema.ts";
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
    description: "Every write of any kind, with the members that it changed. Newest first.",
    role: "ADMIN",
    status: 200,
    isExtension: true,
    query: body(PAGE_QUERY),
    response: listEnvelope("items", AuditEntry),
    run(db, { orgId, query }) {
      const scope = scopeOf(orgId, "audit_log");
      const { limit, before } = readPage(scope, query);
      const page = cutPage(scope, listAuditEntries(db, orgId, before, limit + 1), limit);
      return { status: 200, json: { items: page.rows.map(show), nextCursor: page.nextCursor } };
    },
  },
];
