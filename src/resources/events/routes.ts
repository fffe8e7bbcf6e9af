// `GET /api/v1/events`: what happened in an organization, oldest first, from a cursor on.
import { Type } from "@sinclair/typebox";
import { body, EXTENSION, id, instant, nullable } from "../../kernel/fields.ts";
import { type FieldError, Problem } from "../../kernel/problem.ts";
import { readLimit } from "../../storage/database/paging.ts";
import type { Reader } from "../../storage/database/sql.ts";
import type { ReadRequest, ReadRoute } from "../route.ts";
import { Transaction } from "../transactions/schema.ts";
import { BEGINNING, type Place, readFeedCursor } from "./cursor.ts";
import { readTypes } from "./event-types.ts";
import { readFeed } from "./feed.ts";
import { LiveFeed } from "./live.ts";
import { latestPlace, placeSince, requireHere } from "./place.ts";

const LIMIT_DEFAULT = 100;
const LIMIT_MAX = 500;
const LATEST = "latest";

const EventShown = Type.Object({
  id: Type.String({
    pattern: "^evt_[0-9a-f]{32}$",
    description: "Identifies the event; it never changes.",
    examples: ["evt_9f86d081884c7d659a2feaa0c55ad015"],
  }),
  type: Type.String({
    description: "`security.updated`, `transaction.stock_issuance`: a noun and what became of it.",
    examples: ["security.updated"],
  }),
  timestamp: Type.String({
    format: "date-time",
    description: "When it was recorded.",
    examples: ["2026-01-15T14:30:00.000Z"],
  }),
  data: Type.Object(
    {
      orgId: id({ description: "The organization in which it happened." }),
      resourceType: Type.String({ description: "The noun of the record.", examples: ["security"] }),
      resourceId: nullable(id({ description: "The record." })),
      url: nullable(
        Type.String({
          description: "The record's path; null once it is deleted, and where it has none.",
          examples: ["/api/v1/securities/0190f5a2-6c1e-7b3a-9d4e-1f2a3b4c5d6e"],
        }),
      ),
      changed: Type.Array(Type.String({ examples: ["status"] }), {
        description: "The members that changed, as answers name them; none of a new or deleted record.",
      }),
      states: Type.Record(Type.String(), Type.String(), {
        description: "The new word of each changed one of `state`, `status`, `tokenizationStatus`, `tokenStatus`.",
        examples: [{ status: "CANCELLED" }],
      }),
      actor: nullable(
        Type.String({
          description: "Through what it was written, as in the log; null for entries.",
          examples: ["person"],
        }),
      ),
      requestId: nullable(id({ description: "The `X-Request-Id` of the request, as in the log; null for entries." })),
      transaction: Type.Optional({
        ...Transaction,
        description: "Of an entry of the ledger: the entry as it is answered.",
      }),
    },
    { description: "What happened. No other value is told: who may read the record reads it there." },
  ),
});

const EventsQuery = body({
  after: Type.Optional(
    Type.String({ description: "A `cursor`: what came after it; or `latest`: nothing, and the cursor of now." }),
  ),
  since: Type.Optional(instant({ description: "What was recorded from this instant on; not with `after`." })),
  types: Type.Optional(
    Type.String({
      description: "Up to 50 types, comma-separated: `security.updated`, `security.*`, or `*` for all.",
    }),
  ),
  limit: Type.Optional(
    Type.String({ description: "How many at most: default 100, clamped to 1 through 500.", examples: ["100"] }),
  ),
});

/** Reads where a page begins. Throws `409 events-rewound` for a cursor whose rows are not here. */
function placeOf(db: Reader, orgId: string, { after, since }: ReadRequest["query"]): Place {
  if (after === LATEST) return latestPlace(db, orgId);
  if (since !== undefined) return placeSince(db, orgId, since);
  const claim = after === undefined ? null : readFeedCursor(after);
  return claim === null ? BEGINNING : requireHere(db, orgId, claim);
}

/** Says what is wrong with a query, besides its schema's. */
function faultsOf({ after, since, types, limit }: ReadRequest["query"]): FieldError[] {
  const errors: FieldError[] = [];
  const refuse = (parameter: string, detail: string) => errors.push({ parameter, detail });
  if (after !== undefined && after !== LATEST && readFeedCursor(after) === null) refuse("after", "is not a cursor");
  if (after !== undefined && since !== undefined) refuse("since", "is not for a request with `after`");
  if (readTypes(types) === null)
    refuse("types", "must be up to 50 types of events, such as security.updated or security.*");
  if (readLimit(limit) === null) refuse("limit", "must be an integer in plain digits");
  return errors;
}

const listEvents: ReadRoute = {
  method: "GET",
  path: "/api/v1/events",
  operationId: "listEvents",
  tag: "Events",
  summary: "List events",
  description:
    "What happened, oldest first: entries of the ledger, and records made, changed or deleted. Pass `cursor` back as " +
    "`after`; it is never null, and a page may be empty while `hasMore` is true. Changes of API keys, members and " +
    "invitations are told to an `ADMIN` alone.",
  role: "VIEWER",
  status: 200,
  isExtension: true,
  problems: [409],
  query: EventsQuery,
  response: Type.Object({
    items: Type.Array(EventShown, { description: "The events, oldest first." }),
    cursor: Type.String({
      description: "The place behind them, for `after`.",
      examples: ["MTIuOWY4NmQwODE4ODRjN2Q2NS4zMS40YjFmNmQwZTNjNTU0ZDJl"],
      ...EXTENSION,
    }),
    hasMore: Type.Boolean({ description: "Whether there are rows behind it to look at." }),
  }),
  run(db, { orgId, query, role }) {
    const errors = faultsOf(query);
    if (errors.length > 0) throw new Problem("validation-failed", "The query is not acceptable.", errors);
    const from = placeOf(db, orgId, query);
    const limit = readLimit(query.limit, { usual: LIMIT_DEFAULT, most: LIMIT_MAX }) ?? LIMIT_DEFAULT;
    const isAsked = readTypes(query.types) ?? (() => true);
    const { events, cursor, hasMore } = readFeed(db, { orgId, from, isAsked, isAdmin: role === "ADMIN", limit });
    return { status: 200, json: { items: events, cursor, hasMore } };
  },
};

const { since: _since, limit: _limit, ...StreamQuery } = EventsQuery.properties;

const streamEvents: ReadRoute = {
  method: "GET",
  path: "/api/v1/events/stream",
  operationId: "streamEvents",
  tag: "Events",
  summary: "Follow events",
  description:
    "The same as a stream of server-sent events that goes on as things happen: each message has a cursor as its `id`, " +
    "and one event as its `data`; every 15 s a block has the cursor alone. It begins behind the cursor in " +
    "`Last-Event-ID`, else behind `after`, else now. At its end there is an event `end` with the `reason`.",
  role: "VIEWER",
  status: 200,
  isExtension: true,
  problems: [409],
  query: body(StreamQuery),
  fileType: "text/event-stream",
  live(db, { orgId, query, lastEventId }) {
    const asked = { ...query, after: lastEventId ?? query.after ?? LATEST };
    const errors = faultsOf(asked).map((error) =>
      lastEventId !== null && "parameter" in error && error.parameter === "after"
        ? { header: "Last-Event-ID", detail: error.detail }
        : error,
    );
    if (errors.length > 0) throw new Problem("validation-failed", "The request is not acceptable.", errors);
    const isAsked = readTypes(query.types) ?? (() => true);
    const from = placeOf(db, orgId, asked);
    return new LiveFeed({ orgId, from, isAsked, types: query.types ?? "*" });
  },
  // A stream has no end that an answer could have: what asks for its head alone gets its beginning.
  run: () => ({ status: 200, plain: "" }),
};

/** The routes of the feed. */
export const eventRoutes: readonly ReadRoute[] = [listEvents, streamEvents];
