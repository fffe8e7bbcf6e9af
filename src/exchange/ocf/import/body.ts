// Request bodies that bring a package as parsed JSON.
import { Type } from "@sinclair/typebox";
import { withRules } from "../../../kernel/check.ts";
import { body, EXTENSION } from "../../../kernel/fields.ts";
import type { Finding } from "../../../kernel/problem.ts";
import { pointerTo } from "../finding.ts";
import { isObject } from "../json.ts";

/** The findings for files whose content has no list of objects: nothing could be made of them. */
function unusableFiles({ entityFiles }: { readonly entityFiles: object }): readonly Finding[] {
  return Object.entries(entityFiles).flatMap(([name, content]: [string, unknown]): Finding[] => {
    const isBareList = Array.isArray(content);
    const isOtherFile = isObject(content) && (content.object_type === "ISSUER" || "ocf_version" in content);
    if (isBareList || isOtherFile || (isObject(content) && Array.isArray(content.items))) return [];
    const pointer = isObject(content) ? pointerTo("entityFiles", name, "items") : pointerTo("entityFiles", name);
    return [[pointer, "must be the content of an OCF file: an object with a list of `items`"]];
  });
}

const PARSED = {
  manifest: Type.Object({}, { additionalProperties: true, description: "The parsed manifest file." }),
  entityFiles: Type.Object(
    {},
    { additionalProperties: true, description: "Each file's parsed content by the file's name." },
  ),
};

/** What a dry run is, as a member or a query parameter. */
export const DRY_RUN = { description: "True to learn what would come in; nothing is kept.", ...EXTENSION };

/** The body of an import. */
export const PackageImportBody = withRules(
  body({ ...PARSED, dryRun: Type.Optional(Type.Boolean({ default: false, ...DRY_RUN })) }),
  { of: ["entityFiles"], findings: unusableFiles },
);

/** The body of a check. */
export const PackageCheckBody = body(PARSED);
