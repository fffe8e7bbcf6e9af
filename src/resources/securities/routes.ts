// Securities: what a stakeholder holds.

import { cutPage, readPage } from "../../database/paging.ts";
import { getRecord, listRecords } from "../../database/records.ts";
import type { Row } from "../../database/sql.ts";
import { body } from "../../kernel/fields.ts";
import type { ReadRoute } from "../../route.ts";
import { listEnvelope, PAGE_QUERY } from "../crud.ts";
import { presenter } from "../present.ts";
import { Security, SecurityFilters } from "./schema.ts";

const show = presenter(Security);
const common = { method: "GET", tag: "Securities", role: "VIEWER", status: 200 } as const;

/** The reading routes of securities. */
export const securityRoutes: readonly ReadRoute[] = [
  {
    ...common,
    path: "/api/v1/securities",
    operationId: "listSecurities",
    summary: "List securities",
    query: body({ ...SecurityFilters.properties, ...PAGE_QUERY }),
    response: listEnvelope("items", Security),
    run(db, { orgId, query }) {
      const { type, stakeholderId } = query;
      const filters = { ...(type ? { type } : {}), ...(stakeholderId ? { stakeholderId } : {}) };
      const scope = JSON.stringify([orgId, "securities", filters]);
      const { limit, before } = readPage(scope, query);
      const rows = listRecords<Row<"securities">>(db, "securities", orgId, filters, before, limit + 1);
      const page = cutPage(scope, rows, limit);
      return { status: 200, json: { items: page.rows.map(show), nextCursor: page.nextCursor } };
    },
  },
  {
    ...common,
    path: "/api/v1/securities/:id",
    operationId: "getSecurity",
    summary: "Get a security",
    problems: [404],
    response: Security,
    run: (db, { orgId, params }) => ({
      status: 200,
      json: show(getRecord<Row<"securities">>(db, "securities", orgId, params.id ?? "")),
    }),
  },
];
