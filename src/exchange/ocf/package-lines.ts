// A package as lines, one an object, and back: so the process that reads a package hands it to the one that imports it.
// Pure.
import type { FileType, OcfFile } from "./file-types.ts";
import { type Finding, Findings } from "./finding.ts";
import type { JsonObject } from "./json.ts";
import type { OcfPackage } from "./package.ts";

/** The kinds of lines of a package. */
export type PackageLine =
  | { readonly manifest: { readonly name: string; readonly value: JsonObject | null } }
  | { readonly issuerFile: { readonly name: string; readonly issuer: JsonObject } }
  /** Its items follow. */
  | { readonly file: { readonly name: string; readonly fileType: string; readonly md5: string | null } }
  | { readonly item: unknown }
  | { readonly finding: Finding };

/** The lines of a package. */
export function* packageLines({
  manifestName,
  manifest,
  issuerFile,
  files,
  findings,
}: OcfPackage): Generator<PackageLine> {
  if (manifestName !== null) yield { manifest: { name: manifestName, value: manifest } };
  if (issuerFile) yield { issuerFile };
  for (const { name, fileType, md5, items } of files) {
    yield { file: { name, fileType, md5 } };
    for (const item of items) yield { item };
  }
  for (const finding of findings.list) yield { finding };
}

/** Makes a package of its lines. */
export class PackageLines {
  #manifest: { readonly name: string; readonly value: JsonObject | null } | null = null;
  #issuerFile: OcfPackage["issuerFile"] = null;
  readonly #files: (OcfFile & { readonly items: unknown[] })[] = [];
  readonly #findings = new Findings();

  take(line: PackageLine): void {
    if ("item" in line) {
      const file = this.#files.at(-1);
      if (!file) throw new Error("an object of a package comes before its file");
      file.items.push(line.item);
    } else if ("file" in line) {
      const { name, fileType, md5 } = line.file;
      this.#files.push({ name, fileType: fileType as FileType, md5, items: [] });
    } else if ("finding" in line) this.#findings.list.push(line.finding);
    else if ("manifest" in line) this.#manifest = line.manifest;
    else this.#issuerFile = line.issuerFile;
  }

  /** The package, once all lines were taken. */
  get ocf(): OcfPackage {
    return {
      manifestName: this.#manifest?.name ?? null,
      manifest: this.#manifest?.value ?? null,
      issuerFile: this.#issuerFile,
      files: this.#files,
      findings: this.#findings,
    };
  }
}
