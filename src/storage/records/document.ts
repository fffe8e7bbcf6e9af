// The fields of a document.
import { Type } from "@sinclair/typebox";
import {
  body,
  defaulted,
  EXTENSION,
  freeText,
  id,
  listOf,
  matching,
  oneOf,
  optional,
  text,
} from "../../kernel/fields.ts";
import type { Register } from "./register.ts";

/** Only addresses that open as a page: a `javascript:` one on our page would run with its reader's session. */
const URI = "^[Hh][Tt][Tt][Pp][Ss]?:(?:[A-Za-z0-9._~:/?#\\[\\]@!$&'()*+,;=-]|%[0-9A-Fa-f]{2})+$";

/** The types that a document can be related to: OCF object types, and securities and transactions by their ids here. */
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

/** The body of a document. */
export const DOCUMENT_FIELDS = {
  title: optional(text(200, { description: "A short title." })),
  path: optional(text(2000, { description: "The file's path among the files that belong to the cap table." })),
  uri: optional(
    matching(URI, "an http: or https: URI", 2000, {
      description: "The file's address, by http or https; in place of `path`, never both.",
    }),
  ),
  md5: optional(md5),
  relatedObjects: defaulted(
    listOf(
      body({
        objectType: oneOf(RELATED_TYPES, { description: "What kind of record, by Open Cap Format's names." }),
        objectId: id({ description: "The id of the record." }),
      }),
      {
        description:
          "The subjects of the document, by Open Cap Format's object types, or a security or transaction here.",
      },
    ),
    [],
  ),
  isSharedWithHolders: defaulted(
    Type.Boolean({ description: "Whether the stakeholders that it concerns see it in the portal.", ...EXTENSION }),
    false,
  ),
  comments: optional(freeText(2000, { description: "Free text, for people." })),
};

/** How documents are listed. */
export const DOCUMENT_REGISTER = {
  title: "Documents",
  none: "No documents yet.",
  list: { title: "Title", about: "About", size: "Size", shared: "Holders", added: "Added" },
  filters: { q: "Search", kind: "About a", shared: "Sharing" },
} as const satisfies Register;
