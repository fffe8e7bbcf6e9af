// Entries of the audit log on the wire (DECISIONS section 8).
import { Type } from "@sinclair/typebox";
import { id, nullable, oneOf } from "../../kernel/fields.ts";
import { timestamp } from "../present.ts";

const members = Type.Object({}, { additionalProperties: true });

/** One write of any kind, as answers show it. */
export const AuditEntry = Type.Object({
  id: id(),
  at: timestamp(),
  actor: oneOf(["api-key", "cli", "job"]),
  apiKeyId: nullable(id()),
  requestId: nullable(Type.String({ description: "The `X-Request-Id` of the request." })),
  method: nullable(Type.String()),
  path: nullable(Type.String()),
  resourceType: Type.String({ description: "What kind of record.", examples: ["stakeholder"] }),
  resourceId: nullable(id()),
  before: nullable({ ...members, description: "The changed members before; null for a record that was made." }),
  after: nullable({ ...members, description: "The changed members after; null for a record that was deleted." }),
});
