// Files that a person sends: a record is made for each and its bytes are stored, and one sees how far that is. `fetch` does
// not tell how much was sent; XMLHttpRequest does, and so it carries the bytes.
import { type Api, answer } from "./client.ts";
import { type Carry, sendBy } from "./send.ts";
import type { components } from "./types.ts";

/** How a file is sent. */
export interface Sending {
  /** Told how many bytes are sent. */
  readonly onSent: (bytes: number) => void;
  /** Ends it. */
  readonly signal: AbortSignal;
}

type About = components["requestBodies"]["DocumentCreate"]["content"]["application/json"];

/**
 * Makes a document of a file, and does with its id what is to be done `then`. Throws what went wrong with either, or an
 * abort: with nothing left of it.
 */
export async function storeFile<T>(
  api: Api,
  file: File,
  about: About,
  { onSent, signal }: Sending,
  then: (id: string) => T | Promise<T>,
): Promise<T> {
  signal.throwIfAborted();
  onSent(0);
  // Not by the signal: a record whose id was never told could not be removed.
  const { id } = await answer(api.POST("/api/v1/documents", { params: {}, body: about }));
  const params = { path: { id } };
  try {
    const headers = { "Content-Type": file.type || "application/octet-stream" };
    const sent = { headers, signal, body: "", bodySerializer: () => file } as const;
    const fetch = (request: Request) => sendBy(carrying(file, onSent), request);
    await answer(api.PUT("/api/v1/documents/{id}/content", { params, fetch, ...sent }));
    return await then(id);
  } catch (thrown) {
    await answer(api.DELETE("/api/v1/documents/{id}", { params })).catch(() => undefined);
    throw thrown;
  }
}

/** Carries requests whose body is `file`. */
function carrying(file: Blob, onSent: (bytes: number) => void): Carry {
  return ({ method, url, headers, signal }) =>
    new Promise((resolve, reject) => {
      const carrier = new XMLHttpRequest();
      const give = () => carrier.abort();
      carrier.open(method, url);
      for (const [name, value] of headers) carrier.setRequestHeader(name, value);
      carrier.upload.onprogress = ({ loaded }) => onSent(loaded);
      carrier.onload = () => resolve(answerOf(carrier));
      carrier.onerror = () => reject(new TypeError("no answer"));
      carrier.onabort = () => reject(signal.reason);
      carrier.onloadend = () => signal.removeEventListener("abort", give);
      signal.addEventListener("abort", give);
      carrier.send(file);
      if (signal.aborted) give();
    });
}

const NO_CONTENT = 204;

function answerOf(carrier: XMLHttpRequest): Response {
  const { status, responseText } = carrier;
  const lines = carrier.getAllResponseHeaders().trim().split("\r\n");
  const headers = lines.map((line): [string, string] => {
    const [name = "", ...value] = line.split(": ");
    return [name, value.join(": ")];
  });
  return new Response(status === NO_CONTENT ? null : responseText, { status, headers });
}
