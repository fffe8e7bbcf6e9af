// Recognizes files that are not an OCF package, by their first bytes, and words a remedy.
import { open, stat } from "node:fs/promises";

const HEAD_BYTES = 4096;
const PACKAGE = "an Open Cap Format package is a zip or a folder of JSON files, one of them the manifest";
const FROM_TABLE = `${PACKAGE}; ask the program that holds the cap table for an export in the Open Cap Format`;

/** The kinds of files by their first bytes, with the remedy. */
const KINDS: readonly (readonly [what: string, todo: string, is: (head: string, path: string) => boolean])[] = [
  ["a PDF", FROM_TABLE, (head) => head.startsWith("%PDF")],
  ["a workbook", FROM_TABLE, (head) => head.startsWith("\u00d0\u00cf\u0011\u00e0")],
  [
    "one JSON file",
    `${PACKAGE}: give the folder that it is in`,
    (head) => /^(?:\u00ef\u00bb\u00bf)?\s*[[{]/.test(head),
  ],
  ["a CSV file", FROM_TABLE, (head, path) => !head.startsWith("PK") && (/\.[ct]sv$/i.test(path) || isTable(head))],
];

/**
 * Words what the file at `path` is if it is a well-known kind but not a package, by its first bytes, else null. A
 * folder gives null, and only its reader recognizes an archive (`isWorkbook`).
 */
export async function toldNoPackage(path: string): Promise<string | null> {
  if (!(await stat(path)).isFile()) return null;
  const head = await headOf(path);
  const kind = KINDS.find(([, , is]) => is(head, path));
  return kind ? toldOf(path, kind[0], kind[1]) : null;
}

/** The message for the archive at `path` if it is a workbook. */
export function toldWorkbook(path: string): string {
  return toldOf(path, "a workbook", FROM_TABLE);
}

function toldOf(path: string, what: string, todo: string): string {
  return `${path} is ${what}: ${todo}`;
}

/** The first bytes, a character each. */
async function headOf(path: string): Promise<string> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(new Uint8Array(HEAD_BYTES), 0, HEAD_BYTES, 0);
    return Buffer.from(buffer.subarray(0, bytesRead)).toString("latin1");
  } finally {
    await file.close();
  }
}

/** Whether the first two lines are text with as many cells each, at least two. */
function isTable(head: string): boolean {
  if (/[^\t\n\r\u0020-\u007e\u0080-\u00ff]/.test(head)) return false;
  const [first = "", second = ""] = head.split(/\r?\n/);
  return [",", ";", "\t"].some((separator) => {
    const cells = first.split(separator).length;
    return cells > 1 && second.split(separator).length === cells;
  });
}
