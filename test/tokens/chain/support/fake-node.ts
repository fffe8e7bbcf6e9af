// A JSON-RPC server on loopback that answers as a test says: what a node in trouble does is scripted, not awaited.
import type { Chain } from "../../../../src/tokens/chain/port.ts";
import { rpcChain } from "../../../../src/tokens/chain/rpc.ts";

/** What arrived. */
export interface Asked {
  readonly method: string;
  readonly params: readonly unknown[];
  readonly path: string;
  readonly authorization: string | null;
}

type Script = (asked: Asked) => Response | Promise<Response>;

/** An answer with a JSON-RPC `result`. */
export function result(value: unknown): Response {
  return Response.json({ jsonrpc: "2.0", id: 1, result: value });
}

/** An answer with a JSON-RPC `error`. */
export function failure(code: number, message: string, data?: unknown, status = 200): Response {
  return Response.json({ jsonrpc: "2.0", id: 1, error: { code, message, data } }, { status });
}

export interface FakeNode extends AsyncDisposable {
  readonly url: string;
  readonly chain: Chain;
  readonly asked: readonly Asked[];
}

/** A chain behind a scripted node. `credentials` and `path` become part of the URL. */
export function fakeNode(script: Script, { credentials = "", path = "/" } = {}): FakeNode {
  const asked: Asked[] = [];
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    async fetch(request) {
      const { method, params } = (await request.json().catch(() => ({}))) as { method: string; params: unknown[] };
      const { pathname, search } = new URL(request.url);
      asked.push({ method, params, path: pathname + search, authorization: request.headers.get("authorization") });
      return script(asked[asked.length - 1] as Asked);
    },
  });
  const url = `http://${credentials}127.0.0.1:${server.port}${path}`;
  return {
    url,
    chain: rpcChain({ url, timeoutMs: 250, answerBytesMax: 10_000 }),
    asked,
    [Symbol.asyncDispose]: () => server.stop(true),
  };
}
