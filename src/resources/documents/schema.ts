// Documents on the wire (DECISIONS section 12). Their bytes travel apart, as they are.
import { Type } from "@sinclair/typebox";
import { withRules } from "../../kernel/check.ts";
import {
  body,
  defaulted,
  freeText,
  id,
  integer,
  listOf,
  matching,
  nullable,
  oneOf,
  optional,
  patchOf,
  text,
} from "../../kernel/fields.ts";
import { RECORD_HEAD, RECORD_TAIL, shown } from "../present.ts";
import { placeFindings } from "./rules.ts";

const URI = "^[A-Za-z][A-Za-z0-9+.-]*:(?:[A-Za-z0-9._~:/?#\\[\\]@!$&'()*+,;=-]|%[0-9A-Fa-f]{2})+$";

/** What a document can be related to: OCF object types, and securities and transactions by their ids here. */
export const RELATED_TYPES = [
  "ISSUER",
  "STAKEHOLDER",
  "STOCK_CLASS",
  "STOCK_PLAN",
  "VALUATION",
  "VESTING_TERMS",
  "STOCK_LEGEND_TEMPLATE",
  "DOCUMENT",
  "SECURITY",
  "TRANSACTION",
] as const;

const md5 = matching("^[0-9a-fA-F]{32}$", "32 hexadecimal digits", 32, {
  description: "The MD5 of the bytes. Open Cap Format demands one: a document without it is not exported.",
});

const fields = {
  title: optional(text(200)),
  path: optional(text(2000, { description: "Where the file lies among the files that belong to the cap table." })),
  uri: optional(
    matching(URI, "an absolute URI", 2000, { description: "Where the file is found; in place of `path`, never both." }),
  ),
  md5: optional(md5),
  relatedObjects: defaulted(
    listOf(body({ objectType: oneOf(RELATED_TYPES), objectId: id() }), {
      description: "What the document is about, by Open Cap Format's object types, or a security or transaction here.",
    }),
    [],
  ),
  comments: optional(freeText()),
};

/** The body of `POST /documents`. */
export const DocumentCreate = withRules(body(fields), { of: ["path", "uri"], findings: placeFindings });
/** The body of `PATCH /documents/{id}`. */
export const DocumentPatch = patchOf(DocumentCreate);
/** A document as answers show it. */
export const Document = Type.Object({
  ...RECORD_HEAD,
  ...shown(fields),
  relatedObjects: Type.Array(Type.Object({ objectType: Type.String({ examples: ["STOCK_CLASS"] }), objectId: id() }), {
    description: "Imported documents may name further object types.",
  }),
  sha256: nullable(Type.String({ description: "Of the stored bytes, in hexadecimal; null while there are none." })),
  size: nullable(integer(0, { description: "The number of stored bytes." })),
  contentType: nullable(Type.String({ description: "As sent with the bytes.", examples: ["application/pdf"] })),
  ...RECORD_TAIL,
});

/** The filters of `GET /documents`. */
export const DocumentFilters = body({
  q: Type.Optional(freeText(200, { description: "Part of the title or the path; A to Z in whatever case." })),
  objectType: Type.Optional(
    Type.String({ description: "With `objectId`: what the document is about.", examples: ["STOCK_CLASS"] }),
  ),
  objectId: Type.Optional(id({ description: "With `objectType`." })),
});

export const DOCUMENT_EXAMPLE = {
  title: "Restated certificate of incorporation",
  path: "incorporation/restated-certificate.pdf",
  relatedObjects: [{ objectType: "STOCK_CLASS", objectId: "0190f5a2-6c1e-7b3a-9d4e-1f2a3b4c5d6f" }],
};
