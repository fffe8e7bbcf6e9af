// A client that gives each of its writes an id and a key, and notes what it was promised. What it waited for in vain
// may be kept or not; that is for a retry to settle.
import type { Answer, CallOptions } from "../../kit/service.ts";
import type { Promised } from "./acknowledged.ts";

/** A write as it was sent, and its answer; null where none came. */
export interface Write {
  readonly method: string;
  readonly path: string;
  readonly body: unknown;
  readonly key: string | null;
  readonly requestId: string;
  readonly answer: { readonly status: number; readonly text: string } | null;
}

/** Operations whose answers are not stored. */
const KEYLESS = /^\/(api-keys|cap-table)|\/(submit|lock|retokenize)$/;

/** Records what it is told over HTTP. */
export class Recorder {
  readonly writes: Write[] = [];
  /** What commands were told, besides. */
  readonly commands: Promised[] = [];
  /** Where the server listens at the moment, and a key. */
  url = "";
  key = "";

  /** Calls the API below `/api/v1`. Throws where no answer comes, or another than a success. */
  async api(method: string, path: string, body?: unknown, options: CallOptions = {}): Promise<Answer> {
    const requestId = crypto.randomUUID();
    const key = method === "POST" && !KEYLESS.test(path) ? crypto.randomUUID() : null;
    const answer = await this.send({ method, path, body, key, requestId, answer: null }, options.headers);
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`);
    return { ...answer, json: answer.text.startsWith("{") ? JSON.parse(answer.text) : {} };
  }

  /** Sends a write (again), and notes it. */
  async send(write: Write, more: Readonly<Record<string, string>> = {}): Promise<Omit<Answer, "json">> {
    const { method, path, body, key, requestId } = write;
    const headers: Record<string, string> = { authorization: `Bearer ${this.key}`, "x-request-id": requestId, ...more };
    if (key !== null) headers["idempotency-key"] = key;
    const init: RequestInit = { method, headers };
    if (body instanceof Uint8Array) init.body = Buffer.from(body);
    else if (body !== undefined) {
      headers["content-type"] = "application/json";
      init.body = JSON.stringify(body);
    }
    const at = method === "GET" ? -1 : this.writes.push(write) - 1;
    const answer = await fetch(`${this.url}/api/v1${path}`, init);
    const text = await answer.text();
    if (at >= 0) this.writes[at] = { ...write, answer: { status: answer.status, text } };
    return { status: answer.status, headers: answer.headers, text };
  }

  /** Everything that was promised so far. */
  promised(): Promised[] {
    return [...this.writes.flatMap(promisedBy), ...this.commands];
  }
}

interface Told {
  readonly id?: string;
  readonly data?: Readonly<Record<string, unknown>>;
}

function promisedBy({ method, path, requestId, key, answer }: Write): Promised[] {
  if (answer === null || answer.status >= 300) return [];
  const { id, data = {} } = answer.text === "" ? {} : (JSON.parse(answer.text) as Told);
  const named = ["id", "transactionId", "securityId", "newSecurityId"].map((name) => data[name]);
  return [
    {
      what: `${method} ${path}, request ${requestId}`,
      requestId,
      printed: null,
      ids: [id, ...named].filter((one) => typeof one === "string"),
      answer: key === null ? null : { key, body: answer.text },
      file: null,
    },
  ];
}
