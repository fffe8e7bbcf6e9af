// JSON bodies: reads one strictly, checking size, media type, UTF-8, syntax and depth, in that order.
import { parseExactly } from "../../kernel/numbers/exact-number.ts";
import { malformed, parseJson } from "../../kernel/parse-json.ts";
import { Problem } from "../../kernel/problem.ts";
import { ClientGone } from "../../kernel/threads/turns.ts";
import type { Rest } from "./rest.ts";

const JSON_TYPE = /^application\/json\s*(?:;\s*charset\s*=\s*"?utf-?8"?\s*)?;?\s*$/i;

/** A body up to so long is taken as one; each piece of a longer one is a turn of the event loop, in which others get theirs. */
const SHORT_BYTES = 256 * 1024;

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
  if (declared !== null) return readDeclared(reader, Number(declared));
  const chunks: Uint8Array[] = [];
  let length = 0;
  const next = () => reader.read().catch(gone);
  for (let piece = await next(); !piece.done; piece = await next()) {
    length += piece.value.byteLength;
    if (length > bytesMax) throw new BodyTooLarge(bytesMax, reader);
    chunks.push(piece.value);
  }
  return Buffer.concat(chunks);
}

/** Reads a body whose length is known into its place: what is put together at its end holds up every other request. */
async function readDeclared(reader: Rest, length: number): Promise<Uint8Array> {
  const content = new Uint8Array(length);
  let at = 0;
  const next = () => reader.read().catch(gone);
  for (let piece = await next(); !piece.done; piece = await next()) {
    content.set(piece.value, at);
    at += piece.value.byteLength;
  }
  return at === length ? content : gone();
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
  return parseJson(bytes, parseExactly);
}

/** Throws `400` without a body. */
export function refuseEmpty(bytes: Uint8Array): void {
  if (bytes.byteLength === 0) throw malformed("The body is empty; this operation needs one.");
}

/** Throws `400` without a body, `415` if it is not sent as JSON. */
export function refuseNoJson(request: Request, bytes: Uint8Array): void {
  refuseEmpty(bytes);
  if (JSON_TYPE.test(request.headers.get("content-type") ?? "")) return;
  throw new Problem("unsupported-media-type", "Send JSON with `Content-Type: application/json`.");
}
