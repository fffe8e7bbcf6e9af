// Routes of the ledger: its list, and a route for each operation of the registry.
import { type TSchema, Type } from "@sinclair/typebox";
import { present } from "../../kernel/assert.ts";
import type { Call } from "../../kernel/call.ts";
import { body, decimal, EXTENSION, id } from "../../kernel/fields.ts";
import { notFound } from "../../kernel/problem.ts";
import { warningsMember } from "../../kernel/warning.ts";
import type { Decision, LedgerOperation } from "../../ledger/operation.ts";
import { split } from "../../ledger/operations/split.ts";
import { OPERATIONS } from "../../ledger/registry.ts";
import type { GatheredSplit } from "../../ledger/splits/gather-split.ts";
import { catchUpWithSplits } from "../../ledger/splits/split-under-way.ts";
import { findEntry, listEntries } from "../../ledger/store.ts";
import { operationWarnings } from "../../ledger/warnings/warnings.ts";
import { executeOperation, recordOnly } from "../../ledger/writes/execute.ts";
import { describeRows, executeLongSplit } from "../../ledger/writes/long-split.ts";
import { pageOf, scopeOf } from "../../storage/database/paging.ts";
import { getRecord } from "../../storage/database/records.ts";
import type { Reader, Row, Tx } from "../../storage/database/sql.ts";
import { RollBack } from "../../storage/database/writer.ts";
import { listEnvelope } from "../crud.ts";
import { filtersIn, SORTED_QUERY } from "../list-query.ts";
import { presenter } from "../present.ts";
import { type ReadRoute, type Reply, type Route, recordPath, type WriteRoute, writeRoute } from "../route.ts";
import { correctRoute } from "../securities/correct-route.ts";
import { SecurityVestingStatus } from "../securities/schema.ts";
import { showVesting } from "../securities/vesting.ts";
import { describeEffects } from "./dry-run.ts";
import { prepareSplit } from "./prepare-split.ts";
import { Transaction, TransactionCreate, TransactionFilters } from "./schema.ts";

const show = presenter(Transaction);
const TAG = "Transactions";

const list: ReadRoute = {
  method: "GET",
  path: "/api/v1/transactions",
  operationId: "listTransactions",
  tag: TAG,
  summary: "List ledger entries",
  description: "The append-only ledger, most recent first.",
  role: "VIEWER",
  status: 200,
  query: body({ ...TransactionFilters.properties, ...SORTED_QUERY }),
  response: listEnvelope("data", Transaction),
  run(db, { orgId, query }) {
    const filters = filtersIn(query);
    const scope = scopeOf(orgId, "transactions", filters);
    const page = pageOf(scope, query, (range) => listEntries(db, { orgId, filters, ...range }));
    return { status: 200, json: { data: page.rows.map(show), nextCursor: page.nextCursor } };
  },
};

const read: ReadRoute = {
  method: "GET",
  path: "/api/v1/transactions/:id",
  operationId: "getTransaction",
  tag: TAG,
  summary: "Get a ledger entry",
  role: "VIEWER",
  status: 200,
  isExtension: true,
  problems: [404],
  response: Type.Object({ data: Transaction }),
  run(db, { orgId, params }) {
    const entry = findEntry(db, orgId, params.id ?? "");
    if (!entry) throw notFound("transaction");
    return { status: 200, json: { data: show(entry) } };
  },
};

const record = writeRoute({
  method: "POST",
  path: "/api/v1/transactions",
  operationId: "recordTransaction",
  tag: TAG,
  summary: "Record a ledger entry",
  description:
    "Records an entry of any type and changes nothing else: it shows `recordOnly: true` and counts in no total. " +
    "The typed routes, which do what they say, are preferred.",
  role: "EDITOR",
  status: 201,
  isLocated: true,
  isIdempotent: true,
  problems: [404],
  body: TransactionCreate,
  bodyExample: {
    type: "STOCK_ISSUANCE",
    effectiveDate: "2026-01-15",
    quantity: "1000",
    metadata: { note: "As in the paper ledger of 2019" },
  },
  response: Type.Object({ data: Transaction }),
  run(tx, call, request) {
    const entry = recordOnly(tx, call, request.body);
    return { status: 201, json: { data: show(entry) }, location: recordPath("transactions", entry.id) };
  },
});

/** Further members of operations' answers. */
const ANSWERED: Readonly<Record<string, TSchema>> = {
  securityId: id({ description: "The security that was issued." }),
  newSecurityId: id({ description: "The security that was made." }),
  securitiesAdjusted: Type.Integer({ description: "How many securities the split changed." }),
  resultingQuantity: decimal({ description: "The shares that result.", ...EXTENSION }),
};

function operationRoute(operation: LedgerOperation): WriteRoute {
  const { data } = operation;
  const members = operation.answers.map((name) => [name, present(ANSWERED[name], name)] as const);
  return writeRoute({
    method: "POST",
    path: `/api/v1/transactions/${operation.route}`,
    operationId: operation.route.replace(/-./g, (dashed) => dashed.charAt(1).toUpperCase()),
    tag: TAG,
    summary: operation.summary,
    description: operation.description,
    role: "EDITOR",
    status: operation.status,
    isIdempotent: true,
    rowsMayWait: operation.rowsMayWait,
    isLocated: operation.status === 201,
    ...(operation.isExtension ? { isExtension: true } : {}),
    problems: [404, 409],
    body: operation.body,
    bodyExample: operation.example,
    response: Type.Object({
      data: Type.Object({
        ...(data?.schema.properties ?? {
          transactionId: id({ description: "The ledger entry." }),
          ...Object.fromEntries(members),
        }),
        ...(operation.isOfVesting ? { vesting: WOULD_VEST } : {}),
        warnings: warningsMember(),
      }),
    }),
    run: (tx, call, request) => runOperation(tx, call, operation, request.body),
    ...(operation.route === "split" ? { prepare: prepareRun } : {}),
  });
}

/** A split's run with the facts that were gathered beforehand. */
async function prepareRun(open: () => Reader, orgId: string, body: Command): Promise<WriteRoute["run"] | null> {
  const gathered = await prepareSplit(open, orgId, body);
  return gathered && ((tx, call, request) => runOperation(tx, call, split, request.body, gathered));
}

type Command = Record<string, unknown>;

function runOperation(
  tx: Tx,
  call: Call,
  operation: LedgerOperation,
  command: Command,
  gathered: GatheredSplit | null = null,
): Reply {
  catchUpWithSplits(tx, call, operation.needs(command));
  const long = operation.route === "split" ? executeLongSplit(tx, call, command, gathered) : null;
  const executed = long ?? executeOperation(tx, call, operation, command);
  const { entries, before, after, decision, securities, stakeholders, plans } = executed;
  const { answer = {}, locatedSecurityId } = decision;
  const done = { route: operation.route, command, entries: decision.entries, securities, stakeholders, plans };
  const warnings = [...(decision.warnings ?? []), ...operationWarnings(tx, call, done)];
  if (command.dryRun === true) {
    const nameless = entries.map(() => null);
    const told = operation.data?.tell(answer, nameless) ?? dryAnswer(operation, decision);
    const effects = describeEffects(before, after, decision.described);
    const data = { ...told, ...vestingAfter(tx, call, operation, command), warnings, effects };
    throw new RollBack<Reply>({ status: 200, json: { data } });
  }
  const ids = entries.map((entry) => entry.id);
  const told = operation.data?.tell(answer, ids) ?? { transactionId: present(ids[0], "the first entry"), ...answer };
  const effects = () => [
    ...describeEffects(before, after, decision.described),
    ...(long ? describeRows(tx, call.orgId) : []),
  ];
  const reply: Reply = { status: operation.status, json: { data: { ...told, warnings } }, effects };
  return locatedSecurityId === undefined ? reply : { ...reply, location: recordPath("securities", locatedSecurityId) };
}

const WOULD_VEST = Type.Optional(
  Type.Object(SecurityVestingStatus.properties, {
    description: "Of a dry run: the security's vesting by today, as `GET /securities/{id}/vesting` would show it.",
    ...EXTENSION,
  }),
);

/** The vesting of the body's security after the operation; absent for other operations. */
function vestingAfter(tx: Tx, { orgId, today }: Call, { isOfVesting }: LedgerOperation, { securityId }: Command) {
  if (!isOfVesting) return {};
  const security = getRecord<Row<"securities">>(tx, "securities", orgId, String(securityId));
  return { vesting: showVesting(tx, orgId, security, today) };
}

/** In a dry run ids are null, counts are as they would be. */
function dryAnswer({ answers }: LedgerOperation, { answer }: Decision): Record<string, unknown> {
  const told = answers.map((name) => [name, name.endsWith("Id") ? null : (answer?.[name] ?? null)]);
  return { transactionId: null, ...Object.fromEntries(told) };
}

/** Every route under `/api/v1/transactions`. */
export const transactionRoutes: readonly Route[] = [
  list,
  record,
  read,
  ...OPERATIONS.map(operationRoute),
  correctRoute,
];
