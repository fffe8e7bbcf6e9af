// OCF packages (zip or folder) read and checked in a child process, for the commands that take one.
import { readFile, stat } from "node:fs/promises";
import { COMMAND_BOUNDS } from "../../src/exchange/ocf/bounds.ts";
import { type Finding, Findings } from "../../src/exchange/ocf/finding.ts";
import { folderEntries } from "../../src/exchange/ocf/folder-read.ts";
import { toldNoPackage, toldWorkbook } from "../../src/exchange/ocf/no-package.ts";
import { isLookedInto, type OcfPackage } from "../../src/exchange/ocf/package.ts";
import { type PackageLine, PackageLines } from "../../src/exchange/ocf/package-lines.ts";
import type { Validation } from "../../src/exchange/ocf/validate.ts";
import { takeLines, UnreadableAnswer } from "../../src/exchange/reading/answer-lines.ts";
import type { FilePart, FileRequest, Parts } from "../../src/exchange/reading/reading-protocol.ts";
import { mebibytes, tooComplex } from "../../src/kernel/too-complex.ts";
import { CommandError } from "../command.ts";
import { readByCommand } from "./read-file.ts";

/** Reads the package at `path`. Throws what is said of a path that has none, and `file-too-complex`. */
export async function readPackageAt(path: string): Promise<OcfPackage> {
  const lines = new PackageLines();
  await linesAt(path, "objects", (line) => {
    if (!("asked" in line)) lines.take(line as PackageLine);
  });
  return lines.ocf;
}

/** Checks the package at `path`; throws as {@link readPackageAt}. */
export async function validateAt(path: string): Promise<Validation> {
  const problems: Finding[] = [];
  const objects = await linesAt(path, "findings", (line) => {
    if ("finding" in line) problems.push(line.finding);
  });
  return { problems, objects };
}

async function linesAt(
  path: string,
  gives: FileRequest["gives"],
  take: Parameters<typeof takeLines>[1],
): Promise<number> {
  try {
    const told = await toldNoPackage(path);
    if (told !== null) throw new CommandError(told, 2);
    const { form, parts } = await partsAt(path);
    return await takeLines(readByCommand({ form, gives, name: path }, parts), take);
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : "";
    if (code === "ENOENT") throw new CommandError(`there is no file or folder ${path}`, 2);
    if (code === "EACCES") throw new CommandError(`${path} cannot be read: permission denied`, 1);
    if (error instanceof UnreadableAnswer) throw new CommandError(toldWorkbook(path), 2);
    throw error;
  }
}

/** What is read of a package at `path`, a zip or a folder. Rejects where there is nothing at that path. */
export async function partsAt(path: string): Promise<Pick<FileRequest, "form"> & { readonly parts: Parts }> {
  const isFolder = (await stat(path)).isDirectory();
  return isFolder ? { form: "folder", parts: folderParts(path) } : { form: "zip", parts: zipParts(path) };
}

async function* zipParts(path: string): AsyncGenerator<FilePart> {
  const { size } = await stat(path);
  const { bytesMax } = COMMAND_BOUNDS;
  if (size > bytesMax) throw tooComplex(`an archive of ${mebibytes(size)}`, `${mebibytes(bytesMax)} are allowed`);
  yield { name: path, bytes: await readFile(path) };
}

/** Of files that no package reads their names alone. */
async function* folderParts(path: string): AsyncGenerator<FilePart> {
  const found = new Findings();
  const entries = await folderEntries(path, found);
  for (const entry of entries) {
    const bytes = isLookedInto(entry.name) ? await entry.read(found) : new Uint8Array();
    if (bytes !== null) yield { name: entry.name, bytes };
  }
  for (const finding of found.list) yield { finding };
}
