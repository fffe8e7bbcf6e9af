// A receiver of webhooks for tests: notes what comes, answers as it is told, and checks signatures by plain HMAC.
import { createHmac } from "node:crypto";
import http from "node:http";
import type { AddressInfo } from "node:net";

/** A request that came. */
export interface Received {
  readonly path: string;
  readonly method: string;
  readonly headers: http.IncomingHttpHeaders;
  readonly body: string;
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into events of every shape
  readonly event: any;
}

/** Answers a request. */
export type Answer = (received: Received, response: http.ServerResponse, count: number) => void;

/** A receiver. */
export interface Receiver {
  readonly url: string;
  readonly port: number;
  readonly received: Received[];
  /** How it answers from now on. */
  answer: Answer;
  /** Resolves once so many requests have come in all. */
  count(atLeast: number): Promise<void>;
  stop(): Promise<void>;
}

/** Answers with a status. */
export function status(code: number, headers: http.OutgoingHttpHeaders = {}): Answer {
  return (_received, response) => void response.writeHead(code, headers).end("taken");
}

/** Starts a receiver on a free port of this machine. */
export async function startReceiver(): Promise<Receiver> {
  const received: Received[] = [];
  const waiting: { readonly atLeast: number; readonly done: () => void }[] = [];
  const server = http.createServer((request, response) => {
    const pieces: Buffer[] = [];
    request.on("data", (piece: Buffer) => void pieces.push(piece));
    request.on("end", () => {
      const body = Buffer.concat(pieces).toString();
      const { url: path = "", method = "", headers } = request;
      const each = { path, method, headers, body, event: body === "" ? null : JSON.parse(body) };
      received.push(each);
      receiver.answer(each, response, received.length);
      for (const { atLeast, done } of waiting) if (received.length >= atLeast) done();
    });
    request.on("error", () => undefined);
    response.on("error", () => undefined);
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const { port } = server.address() as AddressInfo;
  const receiver: Receiver = {
    url: `http://127.0.0.1:${port}/hook`,
    port,
    received,
    answer: status(200),
    async count(atLeast) {
      if (received.length >= atLeast) return;
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      const patience = setTimeout(() => reject(new Error(`${received.length} of ${atLeast} requests came`)), 30_000);
      waiting.push({ atLeast, done: resolve });
      await promise.finally(() => clearTimeout(patience));
    },
    async stop() {
      server.closeAllConnections();
      await new Promise<void>((done) => server.close(() => done()));
    },
  };
  return receiver;
}

/** The signature of a request by a secret, made by hand. */
export function signatureBy(secret: string, { headers, body }: Pick<Received, "headers" | "body">): string {
  const key = Buffer.from(secret.replace(/^whsec_/, ""), "base64");
  const text = `${headers["webhook-id"]}.${headers["webhook-timestamp"]}.${body}`;
  return `v1,${createHmac("sha256", key).update(text).digest("base64")}`;
}

/** The signatures of a request. */
export function signaturesOf({ headers }: Pick<Received, "headers">): string[] {
  return String(headers["webhook-signature"]).split(" ");
}
