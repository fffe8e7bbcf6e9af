// Reads a JSON body strictly (DECISIONS sections 1, 2 and 4): size, media type, UTF-8, syntax, depth, in that order.
import { parseExactly } from "../kernel/exact-number.ts";
import { Problem, problem } from "../kernel/problem.ts";
import type { Rest } from "./rest.ts";

const DEPTH_MAX = 64;
const JSON_TYPE = /^application\/json\s*(?:;\s*charset\s*=\s*"?utf-?8"?\s*)?;?\s*$/i;

/** A body above its limit, and what is still to come of it. */
export class BodyTooLarge extends Problem {
  constructor(
    bytesMax: number,
    readonly rest: Rest | null,
  ) {
    super("payload-too-large", `The body is larger than ${bytesMax} bytes.`);
  }
}

/** Reads up to `bytesMax` of a request's body. Throws {@link BodyTooLarge} beyond. */
export async function readBytes(request: Request, bytesMax: number): Promise<Uint8Array> {
  const { body } = request;
  const declared = request.headers.get("content-length");
  if (Number(declared ?? 0) > bytesMax) throw new BodyTooLarge(bytesMax, body?.getReader() ?? null);
  if (body === null) return new Uint8Array();
  if (declared !== null) return request.bytes();
  const reader = body.getReader();
  const chunks: Uint8Array[] = [];
  let length = 0;
  for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
    length += piece.value.byteLength;
    if (length > bytesMax) throw new BodyTooLarge(bytesMax, reader);
    chunks.push(piece.value);
  }
  return Buffer.concat(chunks);
}

/** How a body is read. */
export interface Reading {
  readonly bytesMax: number;
  /** An empty body counts as `{}`. */
  readonly isOptional?: boolean;
  /** Numbers that a double cannot represent are marked, for the schema to refuse. */
  readonly isExact?: boolean;
}

/** Reads a JSON body. Throws `413`, `415` or `400`. */
export async function readJson(
  request: Request,
  { bytesMax, isOptional = false, isExact = true }: Reading,
): Promise<unknown> {
  const bytes = await readBytes(request, bytesMax);
  if (bytes.byteLength === 0) {
    if (isOptional) return {};
    throw malformed("The body is empty; this operation needs one.");
  }
  if (!JSON_TYPE.test(request.headers.get("content-type") ?? "")) {
    throw new Problem("unsupported-media-type", "Send JSON with `Content-Type: application/json`.");
  }
  return parseJson(bytes, isExact ? parseExactly : JSON.parse);
}

/** Parses UTF-8 JSON nested up to 64 levels. Throws `400 malformed-json`. */
function parseJson(bytes: Uint8Array, parse: (text: string) => unknown): unknown {
  let value: unknown;
  try {
    value = parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch (error) {
    if (error instanceof RangeError) throw tooDeep();
    throw malformed(error instanceof SyntaxError ? "The body is not valid JSON." : "The body is not valid UTF-8.");
  }
  if (isDeeperThan(value, DEPTH_MAX)) throw tooDeep();
  return value;
}

function isDeeperThan(value: unknown, levels: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  if (levels === 0) return true;
  for (const member of Object.values(value)) if (isDeeperThan(member, levels - 1)) return true;
  return false;
}

function malformed(detail: string): Problem {
  return problem("malformed-json", detail);
}

function tooDeep(): Problem {
  return malformed(`The body is nested deeper than ${DEPTH_MAX} levels.`);
}
