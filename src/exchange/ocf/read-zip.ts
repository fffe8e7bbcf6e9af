// Packages in zip archives. Apart from packages of other forms: what unpacks takes a while to load.
import type { PackageBounds } from "./bounds.ts";
import { Findings } from "./finding.ts";
import { type OcfPackage, readEntries } from "./package.ts";
import { type ZipLimits, zipEntries } from "./zip-read.ts";

/** Reads the package in the bytes of a zip archive. Rejects with `file-too-complex` beyond the bounds. */
export async function readZip(bytes: Uint8Array, bounds: PackageBounds): Promise<OcfPackage> {
  const findings = new Findings();
  return readEntries(zipEntries(bytes, findings, bounds), findings, bounds);
}

/** Whether an archive is what Excel and LibreOffice write, which is a zip as well. */
export function isWorkbook(bytes: Uint8Array, limits: ZipLimits): boolean {
  const names = zipEntries(bytes, new Findings(), limits).map(({ name }) => name);
  return (
    names.includes("xl/workbook.xml") || (names.includes("content.xml") && names.includes("META-INF/manifest.xml"))
  );
}
