// Routes of securities: list, read, create, correct and delete the holdings of stakeholders, and their vesting. The
// ledger moves them.

import type { Call } from "../../kernel/call.ts";
import { body } from "../../kernel/fields.ts";
import { toUtcDate } from "../../kernel/runtime.ts";
import type { Warning } from "../../kernel/warning.ts";
import { catchUpWithSplits } from "../../ledger/splits/split-under-way.ts";
import { securityWarnings } from "../../ledger/warnings/warnings.ts";
import { aheadBySecurity } from "../../ledger/writes/ahead-entries.ts";
import { pageOf, scopeOf } from "../../storage/database/paging.ts";
import { RecordJson } from "../../storage/database/record-json.ts";
import { getRecord } from "../../storage/database/records.ts";
import type { Reader, Row, Tx } from "../../storage/database/sql.ts";
import { releaseFirst } from "../approvals/release.ts";
import { listEnvelope, listReply } from "../crud.ts";
import { definedOnly, filtersIn, RECORDS_QUERY } from "../list-query.ts";
import { shapeOf, withCurrency } from "../present.ts";
import { type PathParams, type ReadRoute, type Route, recordPath, writeRoute } from "../route.ts";
import { changeSecurity, deleteSecurity } from "./change.ts";
import { createSecurity } from "./create.ts";
import { nextCertificateRoute } from "./next-certificate.ts";
import { showSecurity, showSecurityText } from "./present-security.ts";
import {
  SECURITY_EXAMPLE,
  Security,
  SecurityColumns,
  SecurityCreate,
  SecurityFilters,
  SecurityPatch,
  SecurityVestingStatus,
  VestingQuery,
} from "./schema.ts";
import { showVesting } from "./vesting.ts";

const direct = new RecordJson("securities", () => shapeOf(SecurityColumns));

const TAG = "Securities";
const reading = { method: "GET", tag: TAG, role: "VIEWER", status: 200 } as const;

function readSecurity(db: Reader, orgId: string, params: PathParams): Row<"securities"> {
  return getRecord<Row<"securities">>(db, "securities", orgId, params.id ?? "");
}

function shownTo(tx: Tx, { orgId, today }: Call, row: Row<"securities">) {
  return showSecurity(row, aheadBySecurity(tx, orgId, today).get(row.id));
}

function securityToChange(tx: Tx, call: Call, params: PathParams): Row<"securities"> {
  catchUpWithSplits(tx, call, { securities: [params.id] });
  const row = readSecurity(tx, call.orgId, params);
  return releaseFirst(tx, call, row) ? readSecurity(tx, call.orgId, params) : row;
}

const list: ReadRoute = {
  ...reading,
  path: "/api/v1/securities",
  operationId: "listSecurities",
  summary: "List securities",
  query: body({ ...SecurityFilters.properties, ...RECORDS_QUERY }),
  response: listEnvelope("items", Security),
  run(db, { orgId, query, nowMs }) {
    const given = filtersIn(query);
    const { type, q: certificateText, tokenStatus: decidedTokenStatus, valuationId, ...exact } = given;
    const byType = type === "STOCK" ? { type } : { typeBesideStock: type };
    const decided = { decidedTokenStatus, decidedValuationId: valuationId };
    const filters = definedOnly({ ...exact, ...byType, ...decided, certificateText });
    const scope = scopeOf(orgId, "securities", given);
    const { rows, nextCursor } = pageOf(scope, query, (range) => direct.list(db, { orgId, filters, ...range }));
    const ahead = aheadBySecurity(db, orgId, toUtcDate(nowMs));
    const aheadOf = (json: string) => (ahead.size === 0 ? undefined : ahead.get(JSON.parse(json).id));
    const shown = rows.map(({ seq, json }) => ({ seq, json: showSecurityText(json, aheadOf(json)) }));
    return listReply("items", { rows: shown, nextCursor });
  },
};

const read: ReadRoute = {
  ...reading,
  path: "/api/v1/securities/:id",
  operationId: "getSecurity",
  summary: "Get a security",
  problems: [404],
  response: Security,
  run(db, { orgId, params, nowMs }) {
    const id = params.id ?? "";
    const written = direct.get(db, orgId, id);
    return { status: 200, text: showSecurityText(written, aheadBySecurity(db, orgId, toUtcDate(nowMs)).get(id)) };
  },
};

const create = writeRoute({
  method: "POST",
  path: "/api/v1/securities",
  operationId: "createSecurity",
  tag: TAG,
  summary: "Create a security",
  description:
    "Makes a security of any type and appends its issuance to the ledger. Stock of a tokenized class mints when the " +
    "approval that it names is locked.",
  role: "EDITOR",
  status: 201,
  isLocated: true,
  isIdempotent: true,
  problems: [404, 409],
  body: SecurityCreate,
  bodyExample: SECURITY_EXAMPLE,
  response: Security,
  run(tx, call, request) {
    const id = createSecurity(tx, call, request.body);
    const row = readSecurity(tx, call.orgId, { id });
    const json = { ...shownTo(tx, call, row), warnings: securityWarnings(tx, call, row, null) };
    return { status: 201, json, location: recordPath("securities", id) };
  },
});

const change = writeRoute({
  method: "PATCH",
  path: "/api/v1/securities/:id",
  operationId: "updateSecurity",
  tag: TAG,
  summary: "Change a security",
  description:
    "Only the members sent change. Another status, quantity, holder, class or plan is a direct edit: a correction that " +
    "appends ledger entries with `metadata.directEdit` and the values before and after.",
  role: "EDITOR",
  status: 200,
  problems: [404, 409],
  body: SecurityPatch,
  bodyExample: { quantity: "9500", comments: "Corrected after the audit of 2026" },
  response: Security,
  run(tx, call, { params, body: patch }) {
    const before = securityToChange(tx, call, params);
    const { countsFromToday } = changeSecurity(tx, call, before, patch);
    const row = readSecurity(tx, call.orgId, params);
    return {
      status: 200,
      json: {
        ...shownTo(tx, call, withCurrency(tx, row)),
        warnings: [
          ...fromToday(call, row, movedOrEnded(before, row, countsFromToday)),
          ...securityWarnings(tx, call, row, before),
        ],
      },
    };
  },
});

/** The change of a direct edit from today on: a status, too, which removes shares from the table or returns them. */
function movedOrEnded(before: Row<"securities">, { status }: Row<"securities">, moved: string | null): string | null {
  return moved ?? (before.status === status ? null : before.status);
}

/** A change of the ledger's members leaves past days unchanged: the warning says so if such days exist. */
function fromToday(call: Call, row: Row<"securities">, moved: string | null): readonly Warning[] {
  if (moved === null || row.grantDate >= call.today) return [];
  const detail = `Past days keep ${moved}. To correct the record from its first day: correct.`;
  return [{ code: "counts-from-today", detail }];
}

const remove = writeRoute({
  method: "DELETE",
  path: "/api/v1/securities/:id",
  operationId: "deleteSecurity",
  tag: TAG,
  summary: "Delete a security",
  description:
    "Takes it off the cap table; if it was ACTIVE, the offsetting ledger entry is appended. Refused while an entry " +
    "dated ahead moves its shares.",
  role: "EDITOR",
  status: 204,
  problems: [404, 409],
  run(tx, call, { params }) {
    deleteSecurity(tx, call, securityToChange(tx, call, params));
    return { status: 204 };
  },
});

const vesting: ReadRoute = {
  ...reading,
  path: "/api/v1/securities/:id/vesting",
  operationId: "getSecurityVesting",
  summary: "Get how a security vests",
  description: "The shares vested by a day, and every vesting event, past and future.",
  isExtension: true,
  problems: [404],
  query: VestingQuery,
  response: SecurityVestingStatus,
  run(db, { orgId, params, query, nowMs }) {
    const asOf = query.asOf ?? toUtcDate(nowMs);
    return { status: 200, json: showVesting(db, orgId, readSecurity(db, orgId, params), asOf) };
  },
};

/** The routes of securities. */
export const securityRoutes: readonly Route[] = [list, create, nextCertificateRoute, read, change, remove, vesting];
