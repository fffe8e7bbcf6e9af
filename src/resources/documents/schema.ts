// Schemas of documents: request bodies and answers. Content has its own routes.
import { Type } from "@sinclair/typebox";
import { withRules } from "../../kernel/check.ts";
import { body, freeText, id, integer, nullable, patchOf } from "../../kernel/fields.ts";
import { DOCUMENT_FIELDS } from "../../storage/records/document.ts";
import { RECORD_HEAD, RECORD_TAIL, shown } from "../present.ts";
import { placeFindings } from "./document-rules.ts";

/** The body of `POST /documents`. */
export const DocumentCreate = withRules(body(DOCUMENT_FIELDS), { of: ["path", "uri"], findings: placeFindings });
/** The body of `PATCH /documents/{id}`. */
export const DocumentPatch = patchOf(DocumentCreate);
/** A document as answers show it. */
export const Document = Type.Object({
  ...RECORD_HEAD,
  ...shown(DOCUMENT_FIELDS),
  relatedObjects: Type.Array(
    Type.Object({
      objectType: Type.String({
        description: "What kind of record, by Open Cap Format's names.",
        examples: ["STOCK_CLASS"],
      }),
      objectId: id({ description: "The id of the record." }),
    }),
    {
      description: "Imported documents may name further object types.",
    },
  ),
  uri: nullable(Type.String({ description: "The file's address. Imported documents may name other schemes." })),
  sha256: nullable(Type.String({ description: "Of the stored bytes, in hexadecimal; null without content." })),
  size: nullable(integer(0, { description: "The number of stored bytes." })),
  contentType: nullable(Type.String({ description: "As sent with the bytes.", examples: ["application/pdf"] })),
  ...RECORD_TAIL,
});

/** The filters of `GET /documents`. */
export const DocumentFilters = body({
  q: Type.Optional(freeText(200, { description: "Part of the title or the path; A to Z in whatever case." })),
  objectType: Type.Optional(
    Type.String({ description: "With `objectId`: the document's subject.", examples: ["STOCK_CLASS"] }),
  ),
  objectId: Type.Optional(id({ description: "With `objectType`." })),
});

export const DOCUMENT_EXAMPLE = {
  title: "Restated certificate of incorporation",
  path: "incorporation/restated-certificate.pdf",
  relatedObjects: [{ objectType: "STOCK_CLASS", objectId: "0190f5a2-6c1e-7b3a-9d4e-1f2a3b4c5d6f" }],
};
