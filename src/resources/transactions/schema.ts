// Schemas of ledger entries: request bodies and answers.
import { Type } from "@sinclair/typebox";
import {
  body,
  date,
  EXTENSION,
  freeObject,
  id,
  nullable,
  oneOf,
  optional,
  positiveDecimal,
} from "../../kernel/fields.ts";
import { TRANSACTION_TYPES } from "../../ledger/types.ts";

const type = oneOf(TRANSACTION_TYPES);
const hash = Type.String({
  pattern: "^[0-9a-f]{64}$",
  examples: ["9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"],
  ...EXTENSION,
});

/** A ledger entry as answers show it. */
export const Transaction = Type.Object({
  id: id({ description: "Identifies the entry." }),
  orgId: id({ description: "The organization that it belongs to." }),
  type: { ...type, description: "The kind of entry." },
  securityId: nullable(id({ description: "The security that it concerns." })),
  stakeholderId: nullable(id({ description: "The primary stakeholder." })),
  quantity: nullable(
    Type.String({ description: "How many shares; of a convertible, the principal.", examples: ["1500"] }),
  ),
  effectiveDate: date({ description: "The day from which it counts." }),
  metadata: nullable(Type.Object({}, { additionalProperties: true, description: "Type-specific data." })),
  createdAt: Type.String({
    description: "When it was recorded.",
    format: "date-time",
    examples: ["2026-01-15T14:30:00.000Z"],
  }),
  recordOnly: Type.Boolean({
    description: "True for an entry that changes nothing and counts in no total.",
    ...EXTENSION,
  }),
  sequence: Type.Integer({ minimum: 1, description: "1, 2, 3 … without gaps.", ...EXTENSION }),
  previousHash: { ...hash, description: "The `hash` of the entry before; 64 zeros in the first." },
  hash: { ...hash, description: "SHA-256 of this entry's canonical JSON, which includes `previousHash`." },
});
/** The body of `POST /transactions`. */
export const TransactionCreate = body({
  type: { ...type, description: "The kind of entry." },
  effectiveDate: date({ description: "The day from which it counts." }),
  securityId: optional(id({ description: "The security that it concerns." })),
  stakeholderId: optional(id({ description: "The primary stakeholder." })),
  quantity: optional(positiveDecimal({ description: "How many shares; of a convertible, the principal." })),
  metadata: optional(freeObject({ description: "Kept as sent." })),
});
/** The filters of `GET /transactions`. */
export const TransactionFilters = body({
  type: Type.Optional(type),
  securityId: Type.Optional(id(EXTENSION)),
  stakeholderId: Type.Optional(id({ description: "The primary stakeholder.", ...EXTENSION })),
  from: Type.Optional(date({ description: "The first effective date.", ...EXTENSION })),
  to: Type.Optional(date({ description: "The last effective date.", ...EXTENSION })),
});
