// Checks the manifest: its shape, a known version, an issuer that no other file contradicts. Pure.
import { isDeepStrictEqual } from "node:util";
import { type Findings, shown } from "../finding.ts";
import { isObject, textOf } from "../json.ts";
import type { OcfPackage } from "../package.ts";
import { Manifest, OCF_VERSION } from "../schemas/manifest-schema.ts";
import { isDateTime } from "../schemas/scalars.ts";
import { explain } from "./check-shape.ts";

const VERSIONS = ["1.0.0", "1.1.0", OCF_VERSION];

/** Checks the manifest and the issuer's own file. Checksums and listed files are checked when the package is read. */
export function checkManifest(ocf: OcfPackage, findings: Findings): void {
  const { manifest, manifestName: file } = ocf;
  if (!manifest || file === null) return;
  for (const { code, pointer, detail, fix } of explain(Manifest, manifest)) {
    const place = { file, pointer };
    if (pointer === "#/as_of" && isDateTime(textOf(manifest, "as_of") ?? "")) {
      findings.warning("as-of-time", place, "as_of has a time; OCF takes a date only.", "Write the date: YYYY-MM-DD.");
    } else findings.problem(code, place, detail, fix);
  }
  const version = textOf(manifest, "ocf_version");
  if (version !== null && !VERSIONS.includes(version)) {
    const detail = `The package says that it is OCF ${shown(version)}, which is no released version.`;
    const fix = `If it follows the newest release, write "${OCF_VERSION}". It was checked as that.`;
    findings.warning("unknown-version", { file, pointer: "#/ocf_version" }, detail, fix);
  } else if (version !== null && version !== OCF_VERSION) {
    const detail = `The package says that it is OCF ${version}. It was checked as ${OCF_VERSION}.`;
    findings.warning("older-version", { file, pointer: "#/ocf_version" }, detail, `Write "${OCF_VERSION}".`);
  }
  if (!isObject(manifest.issuer) && "issuer" in manifest) {
    const detail = `The issuer is no object but ${shown(manifest.issuer)}.`;
    findings.problem("wrong-value", { file, pointer: "#/issuer" }, detail, "Put the whole ISSUER object there.");
  }
  if (isObject(manifest.issuer) && ocf.issuerFile && !isDeepStrictEqual(ocf.issuerFile.issuer, manifest.issuer)) {
    const detail =
      "The issuer in this file is not the same as the issuer in the manifest, which is the one that counts.";
    findings.problem("issuer-differs", { file: ocf.issuerFile.name }, detail, "Make both the same.");
  }
}
