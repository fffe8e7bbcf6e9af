// Writes the files of an OCF package: item files, and the manifest, which is written last because it lists the
// checksums of the others.
import { assert } from "../../kernel/assert.ts";
import type { Md5s } from "../../kernel/files/zip-write.ts";
import { FILE_KINDS, type FileType, MANIFEST_FILE_TYPE } from "./file-types.ts";
import type { JsonObject } from "./json.ts";
import { OCF_VERSION } from "./schemas/manifest-schema.ts";

/** An item file's text, one item in a line; `items` are JSON texts or objects, or empty texts: see `ZipFile`. */
export function* itemFileChunks(fileType: FileType, items: Iterable<string | JsonObject>): Generator<string> {
  yield `{"file_type":${JSON.stringify(fileType)},"items":[`;
  let separator = "\n";
  for (const item of items) {
    if (item === "") {
      yield "";
      continue;
    }
    yield separator + (typeof item === "string" ? item : JSON.stringify(item));
    separator = ",\n";
  }
  yield separator === "\n" ? "]}\n" : "\n]}\n";
}

/** The manifest's members beside the lists of files. */
export interface ManifestHead {
  readonly issuer: JsonObject;
  /** The day that the package shows. */
  readonly asOf: string;
  /** An instant with its zone. */
  readonly generatedAt: string;
  /** Left out if it is unknown. */
  readonly comments: readonly string[];
  /** Kinds whose files were not asked for: listed as `[]`, even if OCF does not require the list. */
  readonly notAskedFor?: ReadonlySet<FileType>;
}

/**
 * The manifest's text. `files` are those written, by name; the list of a kind without a file is `[]` if OCF requires it
 * or the file was not asked for, and else left out. Throws if a file's checksum is not known yet.
 */
export function manifestText(
  head: ManifestHead,
  files: Iterable<{ readonly name: string; readonly fileType: FileType }>,
  md5s: Md5s,
): string {
  const listed = Map.groupBy(files, (file) => file.fileType);
  const lists = FILE_KINDS.flatMap(({ fileType, manifestKey, required }) => {
    const entries = (listed.get(fileType) ?? []).map(({ name }) => {
      const md5 = md5s.get(name);
      assert(md5 !== undefined, `${name} is listed before it was written`);
      return { filepath: `./${name}`, md5 };
    });
    const isListed = required || entries.length > 0 || head.notAskedFor?.has(fileType);
    return isListed ? [[manifestKey, entries] as const] : [];
  });
  const manifest = {
    file_type: MANIFEST_FILE_TYPE,
    ocf_version: OCF_VERSION,
    issuer: head.issuer,
    as_of: head.asOf,
    generated_at: head.generatedAt,
    ...(head.comments.length > 0 ? { comments: head.comments } : {}),
    ...Object.fromEntries(lists),
  };
  return `${JSON.stringify(manifest, null, 2)}\n`;
}
