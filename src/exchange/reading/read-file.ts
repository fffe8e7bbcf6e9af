// Reads an uploaded file to the lines of its answer: the work of the reading process, and for small packages of a
// reading thread. It opens nothing: all its input is given to it.
import { parseJson } from "../../kernel/parse-json.ts";
import { Problem } from "../../kernel/problem.ts";
import { pointerFragment } from "../../kernel/text/text.ts";
import { tellError } from "../../kernel/threads/serialized-error.ts";
import { tooComplex } from "../../kernel/too-complex.ts";
import { COMMAND_BOUNDS, type PackageBounds, SERVED_BOUNDS, ValueMeter } from "../ocf/bounds.ts";
import { Findings } from "../ocf/finding.ts";
import { refuseUnusable } from "../ocf/import/unusable.ts";
import { type OcfPackage, packageOf, readEntries } from "../ocf/package.ts";
import { packageLines } from "../ocf/package-lines.ts";
import type { PackageEntry } from "../ocf/zip-read.ts";
import { UnreadableFile } from "../spreadsheet/file/grid.ts";
import {
  ANSWER_BYTES_MAX,
  type FileKind,
  type FileLine,
  type FilePart,
  type FileRequest,
  LINE_BYTES_MAX,
} from "./reading-protocol.ts";

const BOUNDS: Readonly<Record<FileRequest["bounds"], PackageBounds>> = {
  served: SERVED_BOUNDS,
  command: COMMAND_BOUNDS,
};

/** Lines of an answer are given on together, as soon as they have so many characters: each turn of a loop costs more. */
const GATHERED_LENGTH = 64 * 1024;

/** Reads a file to the lines of its answer. */
type Read = (request: FileRequest, parts: readonly FilePart[]) => Promise<Iterable<FileLine>>;

/**
 * The lines of the answer to a request, each with its line break, some together; the last one says how the reading
 * ended. Rejects only where our own code fails.
 */
export type LinesOf = (request: FileRequest, parts: readonly FilePart[]) => AsyncGenerator<string>;

/**
 * Loads what answers such requests, and no more: each file waits for its process to start. Nothing is loaded after
 * that, while a file is read.
 */
export async function loadReader(kind: FileKind): Promise<LinesOf> {
  const read = await (kind.form === "spreadsheet" ? loadSheets() : loadPackage(kind));
  return async function* (request, parts) {
    let bytes = 0;
    let gathered = "";
    try {
      for (const line of await read(request, parts)) {
        const text = `${JSON.stringify(line)}\n`;
        const length = Buffer.byteLength(text);
        if (length > LINE_BYTES_MAX) throw tooComplex("a row or an object of more than 1 MiB", "1 MiB is allowed");
        bytes += length;
        if (bytes > ANSWER_BYTES_MAX) throw tooComplex("rows or objects of more than 512 MiB", "512 MiB are allowed");
        gathered += text;
        if (gathered.length < GATHERED_LENGTH) continue;
        yield gathered;
        gathered = "";
      }
      yield gathered;
    } catch (error) {
      yield `${gathered}${JSON.stringify(lastOf(error))}\n`;
    }
  };
}

/** The answer for a thrown value; one that is not a refusal is thrown again. */
function lastOf(error: unknown): FileLine {
  if (error instanceof UnreadableFile) return { unreadable: error.message };
  if (error instanceof Problem) return { refused: tellError(error) };
  throw error;
}

async function loadSheets(): Promise<Read> {
  const [{ readSpreadsheet }, { sheetLines }] = await Promise.all([
    import("../spreadsheet/file/read-spreadsheet.ts"),
    import("../spreadsheet/file/sheet-lines.ts"),
  ]);
  return async ({ name }, parts) => ended(sheetLines(await readSpreadsheet(onlyFile(parts), name)), 0);
}

async function loadPackage({ form, gives }: FileKind): Promise<Read> {
  const packageIn = form === "body" ? await loadBody(gives) : form === "zip" ? await loadZip() : packageInFolder;
  if (gives === "findings") {
    const { validatePackage } = await import("../ocf/validate.ts");
    return async (request, parts) => {
      const { problems, objects } = validatePackage((await packageIn(request, parts)).ocf);
      const lines = problems.map((finding) => ({ finding }));
      return ended(lines, objects);
    };
  }
  return async (request, parts) => {
    const { ocf, dryRun } = await packageIn(request, parts);
    if (form === "zip" && request.bounds === "served") refuseUnusable(ocf);
    return ended(packageLines(ocf), 0, form === "body" ? [{ asked: { dryRun } }] : []);
  };
}

function* ended(lines: Iterable<FileLine>, objects: number, before: readonly FileLine[] = []): Generator<FileLine> {
  yield* before;
  yield* lines;
  yield { end: { objects } };
}

function onlyFile(parts: readonly FilePart[]): Uint8Array {
  const [part] = parts;
  if (part === undefined || !("bytes" in part)) throw new Error("there is no file to read");
  return part.bytes;
}

/** A package, and what a body says besides. */
interface Given {
  readonly ocf: OcfPackage;
  readonly dryRun: boolean;
}

async function loadZip() {
  const { isWorkbook, readZip } = await import("../ocf/read-zip.ts");
  return async (request: FileRequest, parts: readonly FilePart[]): Promise<Given> => {
    const [bytes, bounds] = [onlyFile(parts), BOUNDS[request.bounds]];
    if (request.bounds === "command" && isWorkbook(bytes, bounds)) throw new UnreadableFile("a workbook");
    return { ocf: await readZip(bytes, bounds), dryRun: false };
  };
}

async function packageInFolder(request: FileRequest, parts: readonly FilePart[]): Promise<Given> {
  const findings = new Findings();
  const entries: PackageEntry[] = [];
  for (const part of parts) {
    if ("finding" in part) findings.list.push(part.finding);
    else entries.push({ name: part.name, read: async () => part.bytes });
  }
  return { ocf: await readEntries(entries, findings, BOUNDS[request.bounds]), dryRun: false };
}

/** What is wrong with the body is refused together with what else is wrong with its request. */
async function loadBody(gives: FileRequest["gives"]) {
  const [{ findFaults }, { PackageCheckBody, PackageImportBody }] = await Promise.all([
    import("../../kernel/check.ts"),
    import("../ocf/import/body.ts"),
  ]);
  const schema = gives === "findings" ? PackageCheckBody : PackageImportBody;
  return async ({ bounds, errors = [] }: FileRequest, parts: readonly FilePart[]): Promise<Given> => {
    const bytes = onlyFile(parts);
    new ValueMeter(BOUNDS[bounds]).count(bytes);
    // A package's objects are kept as they came, whatever their numbers.
    const body = parseJson(bytes, JSON.parse);
    const faults = findFaults(schema, body).map(({ path, detail }) => ({ pointer: pointerFragment(path), detail }));
    if (errors.length + faults.length > 0) {
      const detail = "The request is not acceptable; `errors` says why.";
      throw new Problem("validation-failed", detail, [...errors, ...faults]);
    }
    const { manifest, entityFiles, dryRun = false } = body as Body;
    return { ocf: packageOf(manifest, entityFiles), dryRun };
  };
}

interface Body {
  readonly manifest: unknown;
  readonly entityFiles: Readonly<Record<string, unknown>>;
  readonly dryRun?: boolean;
}
