// Joins the manifest's lists to the package's files: exact names first, then names that differ little (an official
// sample lists `Stakeholders.json` for `Stakeholders.ocf.json`). Checks the checksums on the way. Pure.
import { FILE_KINDS, fileStem, type OcfFile } from "./file-types.ts";
import { type Findings, pointerTo } from "./finding.ts";
import { isObject, type JsonObject, listOf } from "./json.ts";
import { safeName } from "./safe-name.ts";

interface Listing {
  readonly manifestKey: string;
  readonly fileType: string;
  readonly index: number;
  /** As the manifest writes it. */
  readonly filepath: string;
  /** Within the package, or null where it would leave it. */
  readonly name: string | null;
  readonly md5: unknown;
}

/** The files in the manifest's order, unlisted ones last by name; every disagreement becomes a finding. */
export function linkManifest(
  manifestName: string | null,
  manifest: JsonObject | null,
  files: readonly OcfFile[],
  findings: Findings,
): OcfFile[] {
  const byName = [...files].sort((a, b) => (a.name < b.name ? -1 : 1));
  if (manifestName === null || manifest === null) return byName;
  const listings = listingsOf(manifestName, manifest);
  const present = new Map(files.map((file) => [file.name, file]));
  const listed = new Set<OcfFile>();
  const place = (listing: Listing) => ({
    file: manifestName,
    pointer: pointerTo(listing.manifestKey, listing.index, "filepath"),
  });
  const left: Listing[] = [];
  for (const listing of listings) {
    const file = listing.name === null ? undefined : present.get(listing.name);
    if (!file) left.push(listing);
    else if (listed.has(file)) {
      const detail = `The manifest lists ${listing.filepath} twice.`;
      findings.problem("listed-twice", place(listing), detail, "Keep one of the entries.");
    } else link(listing, file);
  }
  const alike = Map.groupBy(
    byName.filter((file) => !listed.has(file)),
    (file) => likeness(file.fileType, file.name),
  );
  for (const listing of left) {
    const file = alike.get(likeness(listing.fileType, listing.filepath))?.shift();
    if (file) {
      const detail = `The manifest lists ${listing.filepath}; the file is called ${file.name}.`;
      findings.warning(
        "name-differs",
        place(listing),
        detail,
        `Rename the file, or list it as ./${baseName(file.name)}.`,
      );
      link(listing, file);
    } else noteMissing(listing);
  }
  if (listings.length > 0) byName.filter((file) => !listed.has(file)).forEach(noteUnlisted);
  return [...listed, ...byName.filter((file) => !listed.has(file))];

  function link(listing: Listing, file: OcfFile): void {
    listed.add(file);
    if (listing.fileType !== file.fileType) {
      const detail = `${listing.filepath} stands under ${listing.manifestKey} but says it is ${file.fileType}.`;
      findings.problem("wrong-list", place(listing), detail, "Move the entry to the list of that kind.");
    }
    if (file.md5 === null || typeof listing.md5 !== "string" || listing.md5.toLowerCase() === file.md5) return;
    const where = { file: manifestName, pointer: pointerTo(listing.manifestKey, listing.index, "md5") };
    const detail = `The checksum of ${listing.filepath} does not match: the file changed after the manifest was made.`;
    findings.warning("md5-mismatch", where, detail, `If the file is as it should be, write its MD5: ${file.md5}.`);
  }

  function noteMissing(listing: Listing): void {
    const outside = listing.name === null;
    const detail = outside
      ? `The manifest lists ${listing.filepath.slice(0, 100)}, which lies outside of the package.`
      : `The manifest lists ${listing.filepath.slice(0, 100)}, which is not in the package.`;
    findings.problem("missing-file", place(listing), detail, "Add the file, or remove the entry.");
  }

  function noteUnlisted(file: OcfFile): void {
    const detail = "The manifest does not list this file. It was read all the same.";
    const key = FILE_KINDS.find((kind) => kind.fileType === file.fileType)?.manifestKey;
    findings.warning("unlisted-file", { file: file.name }, detail, `Add it to ${key} in the manifest.`);
  }
}

function listingsOf(manifestName: string, manifest: JsonObject): Listing[] {
  const folder = manifestName.slice(0, manifestName.lastIndexOf("/") + 1);
  return FILE_KINDS.flatMap(({ manifestKey, fileType }) =>
    listOf(manifest, manifestKey).flatMap((entry, index) => {
      if (!isObject(entry) || typeof entry.filepath !== "string") return [];
      const { filepath, md5 } = entry;
      const name = filepath.startsWith("/") ? null : safeName(folder + filepath);
      return [{ manifestKey, fileType, index, filepath, name, md5 }];
    }),
  );
}

/** Files and listings of one likeness are taken for each other. */
function likeness(fileType: string, name: string): string {
  return `${fileType} ${fileStem(name)}`;
}

function baseName(name: string): string {
  return name.slice(name.lastIndexOf("/") + 1);
}
