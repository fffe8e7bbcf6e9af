// Schemas of the audit log: its rows in answers, and the filters of its list.
import { Type } from "@sinclair/typebox";
import { ACTORS } from "../../kernel/call.ts";
import { body, date, id, nullable, oneOf } from "../../kernel/fields.ts";
import { LOGGED_KINDS } from "../../storage/database/log/logged-tables.ts";
import { timestamp } from "../present.ts";

const members = Type.Object({}, { additionalProperties: true });
const EXAMPLE_HASH = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08";

/** One write of any kind, as answers show it. */
export const AuditEntry = Type.Object({
  id: id({ description: "Identifies the row of the log." }),
  orgId: id({ description: "The organization that it belongs to." }),
  sequence: Type.Integer({ description: "1, 2, 3 … in the organization's log, without gaps.", examples: [17] }),
  at: timestamp({ description: "When it was written." }),
  actor: oneOf(ACTORS, {
    description:
      "Through what it was written: the API by a key or a person, the command line, or the service's own work.",
  }),
  apiKeyId: nullable(id({ description: "The API key that was used; null for the command line and background work." })),
  accountId: nullable(
    id({ description: "The person who wrote it; null for keys, the command line and background work." }),
  ),
  actorName: nullable(Type.String({ description: "The person's name at that time." })),
  sessionId: nullable({
    ...id(),
    description: "The session in which the person wrote; null where no person did.",
  }),
  requestId: nullable(Type.String({ description: "The `X-Request-Id` of the request." })),
  method: nullable(
    Type.String({
      description: "The request's method; null outside the API, `exported` where a file of many records was taken.",
    }),
  ),
  path: nullable(Type.String({ description: "The request's path; null outside the API." })),
  resourceType: oneOf(LOGGED_KINDS, { description: "The kind of record.", examples: ["stakeholder"] }),
  resourceId: nullable(id({ description: "The record that was written." })),
  before: nullable({
    ...members,
    description: "The changed columns before, as stored; null for a new record.",
  }),
  after: nullable({
    ...members,
    description:
      "The changed columns after, as stored; the whole record if it is new, several in `records` " +
      "if one import created them. A kept OCF original is replaced by its SHA-256. For an export (`method` " +
      "`exported`): `route`, `format` (`OCF`, `XLSX`, `CSV`, `PDF`), `bytes` (null if it is streamed), " +
      "and the `asOf` and `knownAt` requested.",
  }),
  previousHash: Type.String({
    description: "The `hash` of the row before; 64 zeros in the first.",
    examples: ["0".repeat(64)],
  }),
  hash: Type.String({
    description: "SHA-256 of the canonical JSON (RFC 8785) of all other members; a null `sessionId` is left out.",
    examples: [EXAMPLE_HASH],
  }),
});

/** Filters of `GET /audit-log`. */
export const AuditFilters = body({
  actor: Type.Optional(oneOf(ACTORS)),
  accountId: Type.Optional(id()),
  apiKeyId: Type.Optional(id()),
  resourceType: Type.Optional(Type.String({ description: "The kind of record.", examples: ["stakeholder"] })),
  resourceId: Type.Optional(id()),
  from: Type.Optional(date({ description: "The first day on which it was written, in UTC." })),
  to: Type.Optional(date({ description: "The last day on which it was written, in UTC." })),
});
