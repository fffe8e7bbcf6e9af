// Requests of the tools: JSON from and to the server, and its refusals as answers of a tool.
import { usualHeaders } from "../api/connection.ts";
import type { Row } from "../api/output.ts";
import { readRefusal } from "../client/errors.ts";
import { searchOf, segmentOf } from "../client/path.ts";
import { jsonOf } from "../client/read-json.ts";
import type { Sender } from "../client/sender.ts";

/** What a `GET` asks for; what is undefined is left out. */
export type Query = Readonly<Record<string, string | number | undefined>>;

/** Sends requests with one key. Each throws `ProblemError` and `ConnectionError`. */
export class Requests {
  readonly #sender: Sender;

  constructor(sender: Sender) {
    this.#sender = sender;
  }

  /** What a path answers. */
  get(path: string, query: Query = {}, signal?: AbortSignal): Promise<Row> {
    const search = searchOf(query).toString();
    return this.#send({ method: "GET", path: search === "" ? path : `${path}?${search}`, signal });
  }

  /** Sends a body to what writes nothing, such as a model. */
  ask(path: string, body: unknown, signal?: AbortSignal): Promise<Row> {
    return this.#send({ method: "POST", path, body, signal });
  }

  /** Sends a write, which is done once for a key however often it is sent. */
  write(path: string, body: unknown, idempotencyKey: string): Promise<Row> {
    return this.#send({ method: "POST", path, body, idempotencyKey });
  }

  async #send({ method, path, body, idempotencyKey, signal }: Sent): Promise<Row> {
    const headers = usualHeaders();
    if (body !== undefined) headers.set("content-type", "application/json");
    if (idempotencyKey !== undefined) headers.set("idempotency-key", idempotencyKey);
    const bytes = body === undefined ? undefined : new TextEncoder().encode(JSON.stringify(body));
    const response = await this.#sender.send({ method, path, headers, body: bytes, isSafe: true, signal });
    if (!response.ok) throw await readRefusal(response);
    return jsonOf<Row>(response);
  }
}

interface Sent {
  readonly method: "GET" | "POST";
  readonly path: string;
  readonly body?: unknown;
  readonly idempotencyKey?: string;
  readonly signal?: AbortSignal | undefined;
}

/** The path of a record. Throws `TypeError` for what is no id. */
export function recordPath(resource: string, id: string, below = ""): string {
  return `/api/v1/${resource}/${segmentOf("the id", id)}${below}`;
}
