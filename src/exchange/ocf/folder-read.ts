// Lists the files of a package in a folder. Links are not followed: a package must not reach outside itself. Reads the
// disk, which nothing else in this folder does.
import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { Problem } from "../../kernel/problem.ts";
import { mebibytes, tooComplex } from "../../kernel/too-complex.ts";
import { COMMAND_BOUNDS } from "./bounds.ts";
import type { Findings } from "./finding.ts";
import type { PackageEntry } from "./zip-read.ts";

const { bytesMax } = COMMAND_BOUNDS;
const DEPTH_MAX = 8;
const ENTRIES_MAX = 10_000;
const NOT_ENTERED = new Set(["node_modules", "__MACOSX"]);

/** Lists the files under `root`, by name; hidden folders are left alone. */
export async function folderEntries(root: string, findings: Findings): Promise<PackageEntry[]> {
  const entries: PackageEntry[] = [];
  const pending = [{ folder: "", depth: 0 }];
  for (let next = pending.shift(); next; next = pending.shift()) {
    const children = await readdir(join(root, next.folder), { withFileTypes: true });
    for (const child of children.sort((a, b) => (a.name < b.name ? -1 : 1))) {
      const name = next.folder === "" ? child.name : `${next.folder}/${child.name}`;
      if (child.isSymbolicLink()) {
        const detail = "This is a link to somewhere else; it was not followed.";
        findings.warning("link-ignored", { file: name }, detail, "Put the file itself into the folder.");
      } else if (child.isFile()) entries.push(fileEntry(root, name));
      else if (child.isDirectory() && !child.name.startsWith(".") && !NOT_ENTERED.has(child.name)) {
        if (next.depth < DEPTH_MAX) pending.push({ folder: name, depth: next.depth + 1 });
      }
      if (entries.length > ENTRIES_MAX) {
        const detail = `The folder holds more than ${ENTRIES_MAX} files; the rest was not looked at.`;
        findings.problem("folder-too-large", {}, detail, "Give a folder that holds the OCF files only.");
        return entries;
      }
    }
  }
  return entries;
}

function fileEntry(root: string, name: string): PackageEntry {
  const path = join(root, name);
  const read = async (findings: Findings): Promise<Uint8Array | null> => {
    try {
      const { size } = await stat(path);
      if (size > bytesMax) throw tooComplex(`a file of ${mebibytes(size)}`, `${mebibytes(bytesMax)} are allowed`);
      return await readFile(path);
    } catch (error) {
      if (error instanceof Problem) throw error;
      const reason = error instanceof Error ? error.message : "";
      findings.problem("unreadable-file", { file: name }, `The file cannot be read (${reason}).`, "Check its rights.");
    }
    return null;
  };
  return { name, read };
}
