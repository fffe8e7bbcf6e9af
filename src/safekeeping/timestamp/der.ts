// DER: values as they were encoded, read strictly, so that one value has one text. The syntax is read by asn1js.
import { type BaseBlock, Constructed, fromBER, ObjectIdentifier } from "asn1js";

/** Larger than any certificate or time stamp. */
export const DER_BYTES_MAX = 65_536;
const DEPTH_MAX = 24;
const NODES_MAX = 5000;

/** The identifying byte of types of values. */
export const TAG = {
  boolean: 0x01,
  integer: 0x02,
  bitString: 0x03,
  octetString: 0x04,
  null: 0x05,
  oid: 0x06,
  utcTime: 0x17,
  time: 0x18,
  sequence: 0x30,
  set: 0x31,
  /** `[0]`, `[1]` and so on, around other values. */
  around: (number: number) => 0xa0 + number,
} as const;

/** One value. */
export interface Der {
  readonly tag: number;
  /** The whole encoding. */
  readonly bytes: Uint8Array;
  /** What stands behind tag and length. */
  readonly content: Uint8Array;
  /** The values in it; none of a value that holds no others. */
  readonly children: readonly Der[];
  /** With dots between the numbers; null where it is not an object identifier. */
  readonly oid: string | null;
}

/** The bytes are not what they should be. */
export class DerError extends Error {
  override readonly name = "DerError";
}

/** Reads one value that takes up all bytes. Throws {@link DerError}. */
export function readDer(bytes: Uint8Array): Der {
  if (bytes.length > DER_BYTES_MAX) throw new DerError("it is too large");
  // A copy of its own, since what is read refers to the whole buffer.
  const own = Uint8Array.from(bytes);
  const limits = { maxDepth: DEPTH_MAX, maxNodes: NODES_MAX, maxContentLength: DER_BYTES_MAX, parseEmbedded: false };
  const { offset, result } = fromBER(own, limits);
  if (offset !== own.length || result.error !== "") throw new DerError("it is no DER");
  return wrap(result, own);
}

function wrap(block: BaseBlock, whole: Uint8Array): Der {
  const bytes = block.valueBeforeDecodeView;
  const [tag = 0, ...head] = bytes.subarray(0, 6);
  const { content } = contentOf(bytes, head);
  if ((tag & 0x1f) === 0x1f) throw new DerError("it has a tag that is not used in it");
  const isConstructed = (tag & 0x20) !== 0;
  const inner = block instanceof Constructed ? block.valueBlock.value : [];
  const children = inner.map((each) => wrap(each, whole));
  if (isConstructed && children.reduce((sum, each) => sum + each.bytes.length, 0) !== content.length) {
    throw new DerError("it is no DER");
  }
  return { tag, bytes, content, children, oid: block instanceof ObjectIdentifier ? block.getValue() : null };
}

/** The content, behind a length in its shortest form. */
function contentOf(bytes: Uint8Array, [first = 0, ...more]: readonly number[]): { readonly content: Uint8Array } {
  const count = first < 0x80 ? 0 : first - 0x80;
  const length = count === 0 ? first : more.slice(0, count).reduce((sum, byte) => sum * 256 + byte, 0);
  const isShortest = count === 0 ? first < 0x80 : count <= 3 && length >= (count === 1 ? 0x80 : 256 ** (count - 1));
  const content = bytes.subarray(2 + count);
  if (!isShortest || content.length !== length) throw new DerError("it is no DER");
  return { content };
}

/** Reads the values inside another one, one after the other. */
export class Fields {
  readonly #children: readonly Der[];
  #next = 0;

  /** The values of `parent`, which must have this tag. */
  constructor(parent: Der, tag: number = TAG.sequence) {
    if (parent.tag !== tag) throw new DerError("it has another value than it should have");
    this.#children = parent.children;
  }

  /** The next value if it has this tag; null otherwise, and it stays the next. */
  optional(tag: number): Der | null {
    const found = this.#children[this.#next];
    if (found?.tag !== tag) return null;
    this.#next += 1;
    return found;
  }

  /** The next value, which must have this tag. */
  take(tag: number): Der {
    const found = this.optional(tag);
    if (found === null) throw new DerError("it has another value than it should have");
    return found;
  }

  /** The next value of any type. */
  any(): Der {
    const found = this.#children[this.#next];
    if (found === undefined) throw new DerError("it ends too early");
    this.#next += 1;
    return found;
  }

  /** Nothing more may come. */
  end(): void {
    if (this.#next < this.#children.length) throw new DerError("it has more values than it should have");
  }
}

/** The one value inside another. */
export function only(parent: Der, tag: number): Der {
  const fields = new Fields(parent, parent.tag);
  const found = fields.take(tag);
  fields.end();
  return found;
}

/** A small number that is not negative. */
export function numberOf({ tag, content }: Der): number {
  const [first = 0x80] = content;
  if (tag !== TAG.integer || content.length > 4 || first >= 0x80) throw new DerError("a number in it is not usual");
  return content.reduce((sum, byte) => sum * 256 + byte, 0);
}

/** An object identifier, with dots. */
export function oidOf({ tag, oid }: Der): string {
  if (tag !== TAG.oid || oid === null) throw new DerError("it has another value than it should have");
  return oid;
}

/** Whether two encodings are the same. */
export function isSame(one: Uint8Array, other: Uint8Array): boolean {
  return Buffer.from(one.buffer, one.byteOffset, one.length).equals(other);
}

/** Milliseconds since 1970 of a time in UTC, as RFC 5280 and RFC 3161 write it. */
export function timeOf({ tag, content }: Der): number {
  const text = Buffer.from(content).toString("latin1");
  const digits = tag === TAG.utcTime ? `${Number(text.slice(0, 2)) < 50 ? "20" : "19"}${text}` : text;
  const [, year, month, day, hour, minute, second, part = ""] =
    /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(\.\d{1,9})?Z$/.exec(digits) ?? [];
  const ms = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}${part.slice(0, 4)}Z`);
  if ((tag !== TAG.utcTime && tag !== TAG.time) || Number.isNaN(ms)) throw new DerError("a time in it is not one");
  return ms;
}
