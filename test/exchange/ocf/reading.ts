// Packages read here rather than in a process of their own, through the same lines.
import { partsAt } from "../../../cli/files/package-apart.ts";
import type { Finding } from "../../../src/exchange/ocf/finding.ts";
import type { OcfPackage } from "../../../src/exchange/ocf/package.ts";
import { type PackageLine, PackageLines } from "../../../src/exchange/ocf/package-lines.ts";
import type { Validation } from "../../../src/exchange/ocf/validate.ts";
import { takeLines } from "../../../src/exchange/reading/answer-lines.ts";
import type { FileRequest, Parts } from "../../../src/exchange/reading/reading-protocol.ts";
import { piecesOf } from "../../kit/file-reader.ts";

async function packageOfParts(request: Omit<FileRequest, "name" | "gives">, parts: Parts): Promise<OcfPackage> {
  const lines = new PackageLines();
  await takeLines(piecesOf({ ...request, gives: "objects", name: "" }, parts), (line) =>
    lines.take(line as PackageLine),
  );
  return lines.ocf;
}

/** The package in a zip archive, as a command reads it: what cannot be read of it is a finding. */
export function readZip(bytes: Uint8Array): Promise<OcfPackage> {
  return packageOfParts({ form: "zip", bounds: "command" }, [{ name: "", bytes }]);
}

/** The package at a path. */
export async function readPackage(path: string): Promise<OcfPackage> {
  const { form, parts } = await partsAt(path);
  return packageOfParts({ form, bounds: "command" }, parts);
}

/** What is wrong with the package at a path. */
export async function validatePath(path: string): Promise<Validation> {
  const { form, parts } = await partsAt(path);
  const problems: Finding[] = [];
  const objects = await takeLines(piecesOf({ form, gives: "findings", bounds: "command", name: "" }, parts), (line) => {
    if ("finding" in line) problems.push(line.finding);
  });
  return { problems, objects };
}
