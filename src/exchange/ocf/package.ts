// The common form of every OCF package: from a zip, a folder, or the API's parsed JSON; our ten files or any official
// layout. `file_type` inside decides what a file is; the manifest says in which order files count.
import { type PackageBounds, ValueMeter } from "./bounds.ts";
import { FILE_KINDS, type FileType, fileKind, fileKindByName, MANIFEST_FILE_TYPE, type OcfFile } from "./file-types.ts";
import { Findings } from "./finding.ts";
import { isObject, type JsonObject } from "./json.ts";
import { readJson } from "./json-text.ts";
import { linkManifest } from "./manifest-links.ts";
import type { PackageEntry } from "./zip-read.ts";

/** A package as read. Nothing in it has been checked, apart from what `findings` says. */
export interface OcfPackage {
  /** The manifest's name within the package; null without a manifest. */
  readonly manifestName: string | null;
  readonly manifest: JsonObject | null;
  /** The file that holds the bare issuer, which our own export adds; null without one. */
  readonly issuerFile: { readonly name: string; readonly issuer: JsonObject } | null;
  /** Item files: those that the manifest lists, in its order, then the others by name. */
  readonly files: readonly OcfFile[];
  /** What went wrong in reading. */
  readonly findings: Findings;
}

/** One object of a package with the place where it stands. */
export interface OcfItem {
  readonly file: string;
  readonly fileType: FileType;
  /** From 0, in the file's `items`. */
  readonly index: number;
  readonly value: unknown;
}

/** The issuer of a package with the place where it stands. */
export interface IssuerPlace {
  readonly file: string;
  /** JSON Pointer fragment into the file. */
  readonly pointer: string;
  readonly value: JsonObject;
}

/** A JSON file of a package, parsed. */
interface ParsedFile {
  readonly name: string;
  readonly value: unknown;
  readonly md5: string | null;
}

const LITTER = /(^|\/)(\.DS_Store|Thumbs\.db|desktop\.ini|\._[^/]*)$|^__MACOSX\//;
/** Files of these names are OCF, or broken; of others, only what turns out to be JSON is. */
const NAMED_JSON = /\.(json|ocf)$/i;
const MAY_BE_JSON = /(\.json|\.ocf|\.txt|(^|\/)[^./]+)$/i;

/**
 * Where the issuer stands: in the manifest, else in a file of its own, as our own export adds one. Null without one.
 */
export function issuerIn({ manifest, manifestName, issuerFile }: OcfPackage): IssuerPlace | null {
  if (!isObject(manifest?.issuer))
    return issuerFile && { file: issuerFile.name, pointer: "#", value: issuerFile.issuer };
  return { file: manifestName ?? "", pointer: "#/issuer", value: manifest.issuer };
}

/** Whether nothing of a package can be imported, not even an issuer. */
export function isEmpty(ocf: OcfPackage): boolean {
  return issuerIn(ocf) === null && ocf.files.every(({ items }) => items.length === 0);
}

/** Every object of the package's files, in order; the manifest's issuer is not among them. */
export function* itemsOf(ocf: OcfPackage): Generator<OcfItem> {
  for (const { name, fileType, items } of ocf.files) {
    for (const [index, value] of items.entries()) yield { file: name, fileType, index, value };
  }
}

/** Whether the bytes of a file of this name are parsed. */
export function isLookedInto(name: string): boolean {
  return !LITTER.test(name) && MAY_BE_JSON.test(name);
}

/** Takes a package that arrives as parsed JSON through the API: checksums stay unknown. */
export function packageOf(manifest: unknown, entityFiles: { readonly [name: string]: unknown }): OcfPackage {
  const named = isObject(manifest) ? { ...manifest, file_type: MANIFEST_FILE_TYPE } : manifest;
  const files = Object.entries(entityFiles).filter(([, value]) => !isObject(value) || !isManifest(value));
  const parsed = files.map(([name, value]) => ({ name, value, md5: null }));
  return assemble([{ name: "ocf_manifest.json", value: named, md5: null }, ...parsed], new Findings());
}

/** Reads a package of its files, beside what was found already. Rejects with `file-too-complex` beyond the bounds. */
export async function readEntries(
  entries: readonly PackageEntry[],
  findings: Findings,
  bounds: PackageBounds,
): Promise<OcfPackage> {
  const meter = new ValueMeter(bounds);
  const parsed: ParsedFile[] = [];
  for (const entry of entries) {
    if (LITTER.test(entry.name)) continue;
    if (!MAY_BE_JSON.test(entry.name)) {
      noteNoJson(entry.name, findings);
      continue;
    }
    const bytes = await entry.read(findings);
    if (bytes === null) continue;
    const said = new Findings();
    const value = readJson(bytes, { file: entry.name }, { findings: said, meter });
    if (value === undefined && !NAMED_JSON.test(entry.name)) {
      noteNoJson(entry.name, findings);
      continue;
    }
    findings.addAll(said);
    const md5 = Bun.CryptoHasher.hash("md5", bytes, "hex");
    if (value !== undefined) parsed.push({ name: entry.name, value, md5 });
  }
  return assemble(parsed, findings);
}

function noteNoJson(file: string, findings: Findings): void {
  const detail = "This file is no part of OCF and was ignored.";
  findings.warning("ignored-file", { file }, detail, "OCF files are JSON; documents travel separately.");
}

function isManifest(value: JsonObject): boolean {
  return value.file_type === MANIFEST_FILE_TYPE;
}

function assemble(parsed: readonly ParsedFile[], findings: Findings): OcfPackage {
  const manifestFile = chooseManifest(parsed, findings);
  let issuerFile: OcfPackage["issuerFile"] = null;
  const files: OcfFile[] = [];
  for (const each of parsed) {
    if (each === manifestFile) continue;
    const { name, value } = each;
    if (isObject(value) && value.object_type === "ISSUER" && !("file_type" in value)) {
      issuerFile ??= { name, issuer: value };
      continue;
    }
    const file = itemFile(each, findings);
    if (file) files.push(file);
  }
  const manifest = manifestFile && isObject(manifestFile.value) ? manifestFile.value : null;
  const manifestName = manifestFile?.name ?? null;
  const ordered = linkManifest(manifestName, manifest, files, findings);
  return { manifestName, manifest, issuerFile, files: ordered, findings };
}

/** The manifest: of several the one nearest to the root of the package, then by name. */
function chooseManifest(parsed: readonly ParsedFile[], findings: Findings): ParsedFile | null {
  const depth = (file: ParsedFile) => file.name.split("/").length;
  const nearest = (a: ParsedFile, b: ParsedFile) => depth(a) - depth(b) || (a.name < b.name ? -1 : 1);
  const manifests = parsed.filter((file) => isObject(file.value) && isManifest(file.value)).sort(nearest);
  const chosen = manifests[0] ?? null;
  if (!chosen) {
    const detail = `The package has no manifest: no file says "file_type": "${MANIFEST_FILE_TYPE}".`;
    findings.problem("no-manifest", {}, detail, "Add the manifest; it names the issuer and the other files.");
  }
  for (const other of manifests.slice(1)) {
    const detail = `This is a further manifest; the package is read by ${chosen?.name}.`;
    findings.problem(
      "several-manifests",
      { file: other.name },
      detail,
      "Check one package at a time: one manifest each.",
    );
  }
  return chosen;
}

/** The item file in a parsed file; null, with a finding, where it is something else. */
function itemFile({ name, value, md5 }: ParsedFile, findings: Findings): OcfFile | null {
  const said = isObject(value) ? value.file_type : undefined;
  if (said === MANIFEST_FILE_TYPE) return null;
  const kind = said === undefined ? fileKindByName(name) : fileKind(said);
  const items = Array.isArray(value) ? value : isObject(value) ? value.items : undefined;
  if (kind === null || (said === undefined && !Array.isArray(items))) {
    noteForeign(name, said, findings);
    return null;
  }
  if (said === undefined) {
    const detail = `The file does not say its file_type; by its name it was taken for ${kind.fileType}.`;
    const fix = `Wrap the objects: {"file_type": "${kind.fileType}", "items": [...]}.`;
    findings.problem("missing-field", { file: name, pointer: "#/file_type" }, detail, fix);
  }
  for (const member of isObject(value) ? Object.keys(value) : []) {
    if (member === "file_type" || member === "items") continue;
    const detail = `OCF has no field ${member.slice(0, 60)} beside file_type and items.`;
    findings.problem("unknown-field", { file: name, pointer: `#/${member}` }, detail, "Remove it.");
  }
  if (Array.isArray(items)) return { name, fileType: kind.fileType, items, md5 };
  const detail = "The file has no list of items.";
  findings.problem("no-items", { file: name, pointer: "#/items" }, detail, 'Add "items": [...], even if it is empty.');
  return { name, fileType: kind.fileType, items: [], md5 };
}

function noteForeign(name: string, said: unknown, findings: Findings): void {
  const place = { file: name, pointer: said === undefined ? "#" : "#/file_type" };
  if (said === undefined) {
    const detail = "This JSON file says no file_type: it is no OCF file and was ignored.";
    findings.warning("ignored-file", place, detail, "Remove it from the package, or add its file_type and items.");
    return;
  }
  const known = FILE_KINDS.map((kind) => kind.fileType).join(", ");
  const detail = `OCF has no file_type ${JSON.stringify(said)?.slice(0, 80)}; the file was ignored.`;
  findings.problem("unknown-file-type", place, detail, `Use one of ${known}.`);
}
