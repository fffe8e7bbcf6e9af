// Schemas of acceptances: what a holder was shown, and the record of accepting it.
import { Type } from "@sinclair/typebox";
import { body, date, freeText, id, integer, nullable, oneOf, optional, text, total } from "../../kernel/fields.ts";
import { timestamp } from "../present.ts";

const sha256 = (description: string) =>
  Type.String({ description, pattern: "^[0-9a-f]{64}$", examples: ["0".repeat(64)] });

/** The terms of a security as its holder is shown them. */
export const TermsShown = Type.Object(
  {
    statement: Type.Array(Type.Array(Type.String({ examples: ["Number"] }), { minItems: 2, maxItems: 2 }), {
      description:
        "Every line of the holder's copy of the certificate, each a label and a text, as of the last day on which the " +
        "security changed.",
      examples: [[["Number", "ES-1"]]],
    }),
    code: Type.String({
      description: "The code of that copy, by which it is held against the ledger.",
      examples: ["captable:1:C:0190f5a2:0190f5a3:2026-01-15:7:9f86d081"],
    }),
    vesting: Type.Array(
      Type.Object({
        date: date({ description: "The day on which the shares vest." }),
        quantity: total({ description: "How many shares vest." }),
      }),
      { description: "What vests on each day, past and to come." },
    ),
  },
  { description: "What the security says." },
);

/** A document that belongs to what is accepted. */
export const DocumentAccepted = Type.Object({
  id: id({ description: "Identifies the document." }),
  title: nullable(Type.String({ description: "A short title.", examples: ["Option agreement"] })),
  sha256: nullable(sha256("The SHA-256 of its bytes; null if they are not stored here.")),
  size: nullable(integer(0, { description: "The number of its bytes; null if they are not stored here." })),
});

/** The sentence that the holder accepts. */
export const TextAccepted = Type.String({
  description: "The sentence that is accepted.",
  examples: ["I accept, for Ada King, the option grant ES-1 of Acme, Inc.: 4,800 options, on the terms shown."],
});

/** The digest of what is shown. */
export const ShownDigest = sha256(
  "SHA-256 of the canonical JSON (RFC 8785) of `captable` (1), `kind` (`acceptance`), `orgId`, `securityId`, " +
    "`stakeholderId`, `terms`, `documents` and `text`.",
);

const Shown = Type.Object(
  {
    captable: Type.Integer({ description: "The version of this form.", examples: [1] }),
    kind: Type.String({ description: "What it is.", examples: ["acceptance"] }),
    orgId: id({ description: "The organization." }),
    securityId: id({ description: "The security." }),
    stakeholderId: id({ description: "Who holds it." }),
    terms: TermsShown,
    documents: Type.Array(DocumentAccepted, { description: "The documents that were shared with the holder." }),
    text: TextAccepted,
  },
  { description: "What the holder was shown; `digest` is of it. Null of one on paper or from an import." },
);

/** How an acceptance came in. */
export const ACCEPTANCE_KINDS = ["PORTAL", "PAPER", "IMPORTED"] as const;

const ADMIN_ONLY = "For administrators alone; else null.";

/** An acceptance as answers show it. */
export const Acceptance = Type.Object({
  id: id({ description: "Identifies the acceptance." }),
  orgId: id({ description: "The organization that it belongs to." }),
  securityId: id({ description: "The security that was accepted." }),
  stakeholderId: nullable(id({ description: "Who held it then." })),
  kind: oneOf(ACCEPTANCE_KINDS, { description: "Whether it was given in the portal, on paper, or came by an import." }),
  acceptedAt: timestamp({
    description: "When it was accepted; of paper and imports the beginning of that day in UTC.",
  }),
  shown: nullable(Shown),
  digest: nullable(ShownDigest),
  accountId: nullable(id({ description: "The account of the person who accepted in the portal." })),
  name: nullable(text(200, { description: "That person's name then.", examples: ["Ada King"] })),
  email: nullable(text(254, { description: "That account's address then.", examples: ["ada@example.org"] })),
  method: nullable(Type.String({ description: "How the person had signed in.", examples: ["PASSWORD"] })),
  hasSecondFactor: nullable(Type.Boolean({ description: "Whether a second factor was given in the session." })),
  sessionId: nullable(id({ description: `The session. ${ADMIN_ONLY}` })),
  address: nullable(
    Type.String({ description: `The client address where the session began. ${ADMIN_ONLY}`, examples: ["192.0.2.7"] }),
  ),
  userAgent: nullable(
    Type.String({ description: `What the session's browser calls itself. ${ADMIN_ONLY}`, examples: ["Mozilla/5.0"] }),
  ),
  ledgerHead: sha256("The hash of the ledger's newest entry then; 64 zeros without one."),
  documentId: nullable(id({ description: "Of one on paper: the document with its copy." })),
  comments: nullable(freeText(2000, { description: "Free text, for people." })),
  createdAt: timestamp({ description: "When it was recorded." }),
});

/** The body of an acceptance on paper. */
export const PaperAcceptance = body({
  acceptedOn: date({ description: "The day on which it was signed: not after tomorrow, and not before the security." }),
  documentId: optional(id({ description: "The document with its copy: one whose bytes are stored." })),
  comments: optional(freeText(2000, { description: "Free text, for people." })),
});
