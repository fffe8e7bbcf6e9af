// JSON bodies: reads one strictly, checking size, media type, depth, the number of values, UTF-8 and syntax, in that
// order.
import { parseExactly } from "../../kernel/numbers/exact-number.ts";
import { malformed, parseJson } from "../../kernel/parse-json.ts";
import { Problem } from "../../kernel/problem.ts";
import { giveWay } from "../../kernel/threads/give-way.ts";
import { ClientGone } from "../../kernel/threads/turns.ts";
import type { Rest } from "./rest.ts";

const JSON_TYPE = /^application\/json\s*(?:;\s*charset\s*=\s*"?utf-?8"?\s*)?;?\s*$/i;
/** The pattern's time grows with the square of the spaces in it. */
const TYPE_LENGTH_MAX = 200;

/** A body up to so long is taken within one turn of the event loop. */
const SHORT_BYTES = 256 * 1024;
/** Of a longer one so much is taken in each turn: memory that is new takes long to fill. */
const PIECE_BYTES = 256 * 1024;
/**
 * A body may have a value for each so many bytes of its limit: no request comes near, and one of the least values takes
 * ten times as long to parse as one of texts.
 */
const BYTES_A_VALUE = 16;

/** A body above its limit, and the rest of its stream. */
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
  if (declared !== null && Number(declared) <= SHORT_BYTES) return request.bytes().catch(gone);
  const reader = body.getReader();
  if (declared !== null) return readDeclared(piecesOf(reader), Number(declared));
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const piece of piecesOf(reader)) {
    length += piece.byteLength;
    if (length > bytesMax) throw new BodyTooLarge(bytesMax, reader);
    chunks.push(piece);
  }
  return joined(chunks, length);
}

/**
 * The pieces of a body as they come; after each one other requests get their turn. Without it a turn would last as long
 * as the sender sends: the server receives while pieces are asked for, up to 5 MiB in one go, and 1 MiB otherwise.
 */
async function* piecesOf(reader: Rest): AsyncGenerator<Uint8Array> {
  const next = () => reader.read().catch(gone);
  let length = 0;
  for (let read = await next(); !read.done; read = await next()) {
    for (let at = 0; at < read.value.byteLength; at += PIECE_BYTES) {
      const piece = read.value.subarray(at, at + PIECE_BYTES);
      yield piece;
      length += piece.byteLength;
      if (length > SHORT_BYTES) await giveWay();
    }
  }
}

/** Reads a body whose length is known into its place. */
async function readDeclared(pieces: AsyncIterable<Uint8Array>, length: number): Promise<Uint8Array> {
  const content = new Uint8Array(length);
  let at = 0;
  for await (const piece of pieces) {
    content.set(piece, at);
    at += piece.byteLength;
  }
  return at === length ? content : gone();
}

/** Puts a body's pieces together, each in a turn of its own. */
async function joined(pieces: readonly Uint8Array[], length: number): Promise<Uint8Array> {
  if (length <= SHORT_BYTES) return Buffer.concat(pieces);
  const content = new Uint8Array(length);
  let at = 0;
  for (const piece of pieces) {
    content.set(piece, at);
    at += piece.byteLength;
    await giveWay();
  }
  return content;
}

/** A body that cannot be read further: the client stopped sending it. */
function gone(): never {
  throw new ClientGone();
}

/** How a body is read. */
export interface Reading {
  readonly bytesMax: number;
  /** An empty body counts as `{}`. */
  readonly isOptional?: boolean;
}

/**
 * Reads a JSON body and marks numbers that a double cannot represent, for the schema to refuse. Throws `413`, `415` or
 * `400`.
 */
export async function readJson(request: Request, { bytesMax, isOptional = false }: Reading): Promise<unknown> {
  const bytes = await readBytes(request, bytesMax);
  if (bytes.byteLength === 0 && isOptional) return {};
  refuseNoJson(request, bytes);
  return parseJson(bytes, parseExactly, Math.floor(bytesMax / BYTES_A_VALUE));
}

/** Throws `400` without a body. */
export function refuseEmpty(bytes: Uint8Array): void {
  if (bytes.byteLength === 0) throw malformed("The body is empty; this operation needs one.");
}

/** Throws `400` without a body, `415` if it is not sent as JSON. */
export function refuseNoJson(request: Request, bytes: Uint8Array): void {
  refuseEmpty(bytes);
  const type = request.headers.get("content-type") ?? "";
  if (type.length <= TYPE_LENGTH_MAX && JSON_TYPE.test(type)) return;
  throw new Problem("unsupported-media-type", "Send JSON with `Content-Type: application/json`.");
}
