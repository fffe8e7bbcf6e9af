// Texts of the OpenAPI document that no route gives: the introduction, the groups, headers and refusals that many
// operations share.
import { EXTENSION } from "../../../kernel/fields.ts";
import type { Json } from "./described-schema.ts";

/** The first page of the API reference. */
export const INTRODUCTION = `\
The whole cap table by HTTP and JSON: stakeholders, share classes, securities, equity plans, valuations,
vesting, corporate actions, approvals, an append-only ledger, and Open Cap Format in and out.

**Keys.** Send \`Authorization: Bearer <API key>\`. A key belongs to one organization and sees nothing of any
other. Its role is \`VIEWER\` (reads), \`EDITOR\` (writes) or \`ADMIN\` (the organization, API keys, the audit
log, OCF import). Its \`scopes\` limit it further: \`read\` (what writes nothing), \`import\`, \`manage-keys\`, and
\`write\` (every other write); each operation says which it needs. A dry run needs the scope of its write.

**People** sign in instead and have a session, in a cookie that only this server's pages use. They name the
organization in the header \`Captable-Organization\`; their role there decides like a key's. A \`STAKEHOLDER\` sees
the portal alone: what it holds itself.

**Values.** Decimals are strings of up to 15 digits and up to 10 places, exact throughout; a JSON number in
their place is refused. Dates are \`YYYY-MM-DD\`, instants ISO 8601 in UTC. Ids made here are UUIDs; records
that came by OCF import keep the ids they came with. A member that an operation does not accept is refused,
never dropped.

**Lists** are newest first, and with \`sort=createdAt\` oldest first. Pass \`nextCursor\` back as \`cursor\` until it is
null. \`ids\` asks for certain records.

**Changes.** \`PATCH\` changes only what it names; null clears an optional member; nested objects are replaced
whole. Answers to \`GET\` carry an \`ETag\`: sent as \`If-Match\`, it makes a change fail with \`412\` where another
one came between; sent as \`If-None-Match\`, a read of what is unchanged is \`304\`, without a body.

**Retries.** Where an operation takes \`Idempotency-Key\`, a retry with the same key and body gets the first
answer again and changes nothing. Keys are kept for 30 days.

**Trying out.** The operations under \`/transactions/\` take \`dryRun: true\`: everything is checked and the
answer tells what would change, but nothing is kept.

**Refusals** are RFC 9457 problem documents. \`type\` leads to a page that explains the problem, \`errors\`
points at every member that is wrong, and \`instance\` holds the request's id, which every answer also carries
as \`X-Request-Id\`.

What is marked \`x-extension: true\` is this service's addition to the interface that it implements.`;

/** The groups of operations, in the order of the API reference. A route's `tag` is one of these. */
export const TAGS: Readonly<Record<string, string>> = {
  Organization: "The organization that the API key belongs to.",
  "API keys": "Credentials of programs. A key is shown once, when it is made; only its hash is stored.",
  "Signing in": "Sessions of people: setting up, signing in and out, links that invite or set a password.",
  Account: "A person's own account: factors, sessions, organizations.",
  Members: "The people of an organization and their roles.",
  Portal: "What a holder sees of its own holdings.",
  Stakeholders: "People and institutions that hold, or may hold, securities.",
  "Share classes": "Classes of stock, their authorized shares, and the token that mirrors each of them.",
  Securities: "What stakeholders hold: stock, options, warrants and convertibles. Every change is on the ledger too.",
  Valuations: "Opinions of a class's price, such as 409A valuations.",
  "Equity plans": "Pools from which options and stock are granted, and what is left in them.",
  "Vesting terms": "Reusable vesting schedules, attached to securities.",
  "Vesting milestones": "Single events upon which shares vest.",
  "Corporate actions":
    "Governance records of splits, rounds, pool changes. They do not change securities by themselves.",
  Transactions: "The append-only, hash-chained ledger, and the operations that write to it.",
  Batches: "Several changes in one transaction: all of them or none.",
  Approvals: "Reviews in steps. A locked approval allows the tokens of the securities that name it.",
  "Cap table": "Who holds what, now or as of a date; Open Cap Format export and import.",
  Reports: "The cap table as files: a workbook, CSV of everything, certificates and statements.",
  Imports: "Spreadsheets in: looked at first, cell by cell, and then all of them or nothing.",
  Models: "Rounds, exits and expense, computed from the cap table. Only a closed round is recorded.",
  Scenarios: "Inputs of models kept under a name, computed anew whenever they are asked for, and compared.",
  Compliance: "Figures for limits of the law: incentive options, Rule 701, strikes against valuations.",
  Documents: "Documents that records refer to, with their files.",
  Acceptances: "What holders accepted, as it was shown to them. A record without effect on any holding.",
  "Stock legends": "Restrictive legends that classes and securities carry.",
  Dates: "The days to come: ends of exercise windows, valuations, convertibles and plans, what is due, and vesting.",
  Events: "What happened, in order: for programs that follow an organization.",
  Webhooks: "Endpoints that events are sent to, signed and in order, and what became of each request.",
  "Audit log": "Every write: who, when, what it was before and after; checkpoints of ledger and log, and proofs.",
  Description: "This description.",
};

/** Words for path parameters; `id` speaks of the record in the path. */
export const PATH_PARAMETERS: Readonly<Record<string, string>> = {
  id: "The record's id.",
  stepId: "The step's id.",
};

const REQUEST_ID = "0190f5a2-6c1e-7b3a-9d4e-1f2a3b4c5d6e";

function header(description: string, schema: Json): Json {
  return { description, schema };
}

/** A header that is an extension of the interface that this service implements. */
function additive(description: string, schema: Json): Json {
  return { ...header(description, schema), ...EXTENSION };
}

/** `components.headers`. */
export const HEADERS = {
  "X-Request-Id": additive("The request's id: the client's own where it sent a UUID in this header.", {
    type: "string",
    format: "uuid",
    examples: [REQUEST_ID],
  }),
  "RateLimit-Limit": additive("Requests a minute for this key. Absent where there is no limit, like the next two.", {
    type: "integer",
  }),
  "RateLimit-Remaining": additive("Requests that may be made at once.", { type: "integer" }),
  "RateLimit-Reset": additive("Seconds until the full burst is allowed again.", { type: "integer" }),
  "Retry-After": header("Seconds to wait before trying again.", { type: "integer", minimum: 1 }),
  "WWW-Authenticate": additive("How to authenticate.", { type: "string", const: "Bearer" }),
  Location: header("The path of the record that was made.", { type: "string", format: "uri-reference" }),
  "Content-Disposition": header("`attachment` with the file's name.", { type: "string" }),
  "X-Captable-Head": additive("The last ledger entry that the file shows: its place, a space, its hash.", {
    type: "string",
    pattern: "^\\d+ [0-9a-f]{64}$",
  }),
  ETag: additive("A digest of the body: changed records have another. For `If-None-Match` and `If-Match`.", {
    type: "string",
    pattern: '^"[0-9a-f]{16}"$',
  }),
  "Idempotent-Replayed": additive("Present when this is the stored answer of an earlier request.", {
    type: "string",
    const: "true",
  }),
} as const;

type HeaderName = keyof typeof HEADERS;

/** References to shared headers. */
export function headersNamed(...names: readonly HeaderName[]): Json {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

const ANSWERED = ["X-Request-Id", "RateLimit-Limit", "RateLimit-Remaining", "RateLimit-Reset"] as const;
/** The headers that every answer to a caller with a valid key carries. */
export const COMMON_HEADERS: Json = headersNamed(...ANSWERED);

const IDEMPOTENCY_KEY = {
  name: "Idempotency-Key",
  in: "header",
  description: "Any text of 1 to 255 visible ASCII characters, new for each new request and the same for its retries.",
  schema: { type: "string", minLength: 1, maxLength: 255, pattern: "^[\\x21-\\x7e]+$" },
  example: "8b1f6d0e-3c55-4d2e-9a0b-5b2f7c9e1a44",
} as const;

const TAGS_EXAMPLE = '"00f1a2b3c4d5e6f7"';

/** `components.parameters`. */
export const PARAMETERS = {
  IdempotencyKey: IDEMPOTENCY_KEY,
  AdditiveIdempotencyKey: { ...IDEMPOTENCY_KEY, ...EXTENSION },
  IfMatch: {
    name: "If-Match",
    in: "header",
    description:
      "The `ETag` of the record as it was read, several with commas between them, or `*`. With another tag nothing is " +
      "changed, and the answer is `412`. Of a record within another, such as a step of an approval, the tag of that " +
      "one will do as well.",
    schema: { type: "string" },
    example: TAGS_EXAMPLE,
    ...EXTENSION,
  },
  IfNoneMatch: {
    name: "If-None-Match",
    in: "header",
    description:
      "The `ETag` of an answer that the client has, or several: if it is the same still, the answer is `304`.",
    schema: { type: "string" },
    example: TAGS_EXAMPLE,
    ...EXTENSION,
  },
  LastEventId: {
    name: "Last-Event-ID",
    in: "header",
    description: "The `id` of the last message that the client has: it goes on behind that.",
    schema: { type: "string" },
    example: "MTIuOWY4NmQwODE4ODRjN2Q2NS4zMS40YjFmNmQwZTNjNTU0ZDJl",
    ...EXTENSION,
  },
  Organization: {
    name: "Captable-Organization",
    in: "header",
    required: true,
    description: "The organization's id. A key needs none: it belongs to one.",
    schema: { type: "string" },
    example: "0190f5a2-6c1e-7b3a-9d4e-1f2a3b4c5d6f",
    ...EXTENSION,
  },
} as const;

/**
 * The operations with `Idempotency-Key` in the interface that this service implements; elsewhere it is an extension.
 */
export const NAMED_IDEMPOTENT: ReadonlySet<string> = new Set([
  ...["createStakeholder", "createShareClass", "createSecurity", "createValuation", "createEquityPlan"],
  ...["createVestingTerms", "createCorporateAction", "updateCorporateAction", "createApproval"],
  ...["issueShares", "issueOptions", "transfer", "exercise", "cancel"],
]);

/** How `limit` is described: as a number, as callers think of it. */
export const LIMIT_SCHEMA: Json = { type: "integer", default: 25, examples: [25] };

const FIELD_ERROR = {
  type: "object",
  description: "One thing that is wrong: `pointer`, `parameter` or `header` says where.",
  properties: {
    pointer: { type: "string", description: "A JSON Pointer fragment into the body.", examples: ["#/quantity"] },
    parameter: { type: "string", description: "A query parameter.", examples: ["limit"] },
    header: { type: "string", description: "A header.", examples: ["Idempotency-Key"] },
    detail: { type: "string", description: "What is wrong there." },
  },
  required: ["detail"],
};

/** The schemas that no route names. */
export const SHARED_SCHEMAS: Readonly<Record<string, Json>> = {
  Problem: {
    type: "object",
    description: "Why a request was refused (RFC 9457).",
    properties: {
      type: { type: "string", format: "uri", description: "Names the kind of problem and leads to its explanation." },
      title: { type: "string", description: "The kind of problem in words." },
      status: { type: "integer", description: "The status code of the answer." },
      detail: { type: "string", description: "What is wrong with this request." },
      instance: { type: "string", format: "uri", description: "`urn:uuid:` and the request's id." },
      errors: { type: "array", items: { $ref: "#/components/schemas/FieldError" }, description: "With `422`." },
      cursor: { type: "string", description: "With `events-rewound`: where to go on.", "x-extension": true },
      operation: { type: "integer", description: "Of a batch: the operation, from 0.", "x-extension": true },
      name: {
        type: ["string", "null"],
        description: "Of a batch: the operation's name; null without one.",
        "x-extension": true,
      },
      used: { type: "integer", description: "With `storage-full`: bytes that the organization stores." },
      allowed: { type: "integer", description: "With `storage-full`: bytes that it may store." },
      ways: {
        type: "array",
        items: { type: "string", enum: ["TOTP", "RECOVERY_CODE", "PASSKEY"] },
        description: "With `second-factor-required`: by what the sign-in is completed.",
        "x-extension": true,
      },
    },
    required: ["type", "title", "status", "detail", "instance"],
  },
  FieldError: FIELD_ERROR,
  Effect: {
    type: "object",
    description: "One member that a dry run would have changed.",
    "x-extension": true,
    properties: {
      resourceType: { type: "string", description: "What kind of record.", examples: ["security"] },
      id: { type: ["string", "null"], description: "Null for a record that would be new." },
      field: { type: "string", description: "The member's name.", examples: ["quantity"] },
      before: { description: "The current value; null if there is no value." },
      after: { description: "The value that it would get." },
    },
    required: ["resourceType", "id", "field", "before", "after"],
  },
};
