// Schema of a package's manifest (files/OCFManifestFile of OCF 1.2.0). The version is any text here: other versions are
// read too. The issuer is checked apart, as an object of its own.
import { Type } from "@sinclair/typebox";
import { FILE_KINDS, MANIFEST_FILE_TYPE } from "../file-types.ts";
import { FileEntry } from "./parts.ts";
import { DateText, DateTime, list, oneOf, optional, record, Text } from "./scalars.ts";

/** The version of OCF that this program writes. */
export const OCF_VERSION = "1.2.0";

const lists = Object.fromEntries(
  FILE_KINDS.map((kind) => [kind.manifestKey, kind.required ? list(FileEntry) : optional(list(FileEntry))]),
);

/** OCF_MANIFEST_FILE. */
export const Manifest = record({
  file_type: oneOf(MANIFEST_FILE_TYPE),
  ocf_version: Text,
  issuer: Type.Unknown(),
  as_of: DateText,
  generated_at: DateTime,
  comments: optional(list(Text)),
  ...lists,
});
