// The kinds of files in an OCF package (OCF 1.2.0, files/*.schema.json), and their names in the manifest, in our export
// and in old packages. One table; reading, validating and writing iterate it.

/** `file_type` of the manifest. */
export const MANIFEST_FILE_TYPE = "OCF_MANIFEST_FILE";

/** One kind of item file. */
export interface FileKind {
  readonly fileType: string;
  /** The manifest's list of such files. */
  readonly manifestKey: string;
  /** Whether OCF requires that list in the manifest, even if empty. */
  readonly required: boolean;
  /** The key of `include=` and, with `.json`, the name in our export. */
  readonly exportKey: string;
  /** Names that mean this kind where a file does not say its `file_type`: lower case letters only. */
  readonly stems: readonly string[];
}

/** The nine kinds of item files, in the order in which an export writes them: the target of a reference comes first. */
export const FILE_KINDS = [
  kind("OCF_STAKEHOLDERS_FILE", "stakeholders_files", true, "stakeholders"),
  kind("OCF_STOCK_CLASSES_FILE", "stock_classes_files", true, "stock_classes"),
  kind("OCF_STOCK_PLANS_FILE", "stock_plans_files", true, "stock_plans"),
  kind(
    "OCF_STOCK_LEGEND_TEMPLATES_FILE",
    "stock_legend_templates_files",
    true,
    "stock_legends",
    "stocklegendtemplates",
  ),
  kind("OCF_VESTING_TERMS_FILE", "vesting_terms_files", true, "vesting_terms"),
  kind("OCF_VALUATIONS_FILE", "valuations_files", true, "valuations"),
  kind("OCF_TRANSACTIONS_FILE", "transactions_files", true, "transactions"),
  kind("OCF_FINANCINGS_FILE", "financings_files", false, "financings"),
  kind("OCF_DOCUMENTS_FILE", "documents_files", false, "documents"),
] as const satisfies readonly FileKind[];

/** `file_type` of an item file. */
export type FileType = (typeof FILE_KINDS)[number]["fileType"];

/** One item file of a package. `items` are in the file's order and unchecked. */
export interface OcfFile {
  /** The name within the package, with its folders. */
  readonly name: string;
  readonly fileType: FileType;
  readonly items: readonly unknown[];
  /** Lowercase hex MD5 of the file's bytes; null where the bytes are unknown (the API's parsed form). */
  readonly md5: string | null;
}

function kind<T extends string, E extends string>(
  fileType: T,
  manifestKey: string,
  required: boolean,
  exportKey: E,
  ...alsoNamed: readonly string[]
) {
  return { fileType, manifestKey, required, exportKey, stems: [exportKey.replaceAll("_", ""), ...alsoNamed] };
}

/** The kind that a `file_type` names, or null. */
export function fileKind(fileType: unknown): (typeof FILE_KINDS)[number] | null {
  return FILE_KINDS.find((each) => each.fileType === fileType) ?? null;
}

/** The kind that a file's name suggests (`Stakeholders.ocf.json`, `stock_legends.json`), or null. */
export function fileKindByName(name: string): (typeof FILE_KINDS)[number] | null {
  const stem = fileStem(name);
  return FILE_KINDS.find((each) => each.stems.includes(stem)) ?? null;
}

/** A file's name without folders, `.json` and `.ocf`, in lower case letters and digits: equal ones are alike. */
export function fileStem(name: string): string {
  const base = name.slice(name.lastIndexOf("/") + 1).toLowerCase();
  return base
    .replace(/\.json$/, "")
    .replace(/\.ocf$/, "")
    .replace(/[^a-z0-9]/g, "");
}
