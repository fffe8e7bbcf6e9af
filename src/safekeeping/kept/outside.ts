// Requests to authorities and witnesses: short, small, never redirected, and ended after a while.

const PATIENCE_MS = 30_000;
const ANSWER_BYTES_MAX = 65_536;

/** What is sent. */
export interface Sent {
  readonly url: string;
  readonly contentType: string;
  readonly body: Uint8Array | string;
}

/** What came back. */
export interface Received {
  readonly status: number;
  readonly bytes: Uint8Array;
}

/** Why nothing usable came back: in words without an address. */
export class OutsideError extends Error {
  override readonly name = "OutsideError";
  constructor(
    message: string,
    /** Whether the other side did not answer at all, and so would not answer another question either. */
    readonly isSilence = false,
  ) {
    super(message);
  }
}

/** Sends a `POST`. Throws {@link OutsideError}. `signal` ends it. */
export async function post({ url, contentType, body }: Sent, signal?: AbortSignal): Promise<Received> {
  const patience = AbortSignal.timeout(PATIENCE_MS);
  const ended = signal ? AbortSignal.any([patience, signal]) : patience;
  try {
    const { username, password, ...address } = partsOf(url);
    const headers: Record<string, string> = { "content-type": contentType };
    if (username !== "") {
      headers.authorization = `Basic ${Buffer.from(`${username}:${password}`).toString("base64")}`;
    }
    const response = await fetch(address.href, { method: "POST", headers, body, redirect: "manual", signal: ended });
    return { status: response.status, bytes: await readAll(response) };
  } catch (error) {
    if (error instanceof OutsideError) throw error;
    throw new OutsideError(patience.aborted ? "it did not answer in time" : "it could not be reached", true);
  }
}

/** A name and password in an address go as a header. */
function partsOf(url: string) {
  const address = new URL(url);
  const [username, password] = [decodeURIComponent(address.username), decodeURIComponent(address.password)];
  address.username = "";
  address.password = "";
  return { username, password, href: address.href };
}

async function readAll({ body }: Response): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  let length = 0;
  for await (const piece of body ?? []) {
    length += piece.length;
    if (length > ANSWER_BYTES_MAX) throw new OutsideError("its answer is too large");
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}
