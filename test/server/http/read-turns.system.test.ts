// Requests that read much: they wait for their turn, not for ever, and between two of them every other one is answered.
// The order of turns is in ../kernel/turns.test.ts.
import { afterAll, afterEach, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Type } from "@sinclair/typebox";
import { RateLimiter } from "../../../src/kernel/rate-limit.ts";
import { systemRuntime } from "../../../src/kernel/runtime.ts";
import type { TurnLimits } from "../../../src/kernel/threads/turns.ts";
import type { ReadRoute, Reply } from "../../../src/resources/route.ts";
import { LocalChanges } from "../../../src/server/changes/local.ts";
import { RequestCounters } from "../../../src/server/http/answers/counters.ts";
import { Edge } from "../../../src/server/http/edge.ts";
import { makeLog } from "../../../src/server/http/log-line.ts";
import { makeServer } from "../../../src/server/http/server.ts";
import { readHere } from "../../kit/file-reader.ts";
import { startTestServer, type TestServer } from "../../kit/service.ts";
import { ROUTES } from "../../matrix/world.ts";

setDefaultTimeout(60_000);

const never = new AbortController().signal;
/** What a route of this test answers, and how often it was asked. */
interface Stage {
  run(): Reply;
  count: number;
}

let home: TestServer;
const folder = mkdtempSync(join(tmpdir(), "captable-turns-"));
const closers: (() => unknown)[] = [];
beforeAll(async () => {
  home = await startTestServer();
});
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});
afterAll(async () => {
  await home.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** Counts the requests that have arrived, keys and all. */
class Arrivals extends RateLimiter {
  count = 0;

  constructor() {
    super(1e6, 1e6);
  }

  override take(key: string, nowMs: number) {
    this.count++;
    return super.take(key, nowMs);
  }
}

/** The edge with a route that reads much, `/api/v1/much`, and one that reads little, `/api/v1/little`. */
function serve(isMuch: boolean, turns: Partial<TurnLimits> = {}) {
  const stages = { much: { count: 0, run: ok } as Stage, little: { count: 0, run: ok } as Stage };
  const log: string[] = [];
  const arrivals = new Arrivals();
  const route = (name: "much" | "little"): ReadRoute => ({
    method: "GET",
    path: `/api/v1/${name}`,
    operationId: name,
    tag: "Test",
    summary: name,
    role: "VIEWER",
    status: 200,
    query: Type.Object({ n: Type.Optional(Type.String()) }),
    ...(isMuch && name === "much" ? { expense: () => "much" as const } : {}),
    run() {
      stages[name].count++;
      return stages[name].run();
    },
  });
  const edge = new Edge({
    desk: null,
    reader: home.app.reader,
    keys: home.app.reader,
    changes: new LocalChanges({ writer: home.app.writer, runtime: systemRuntime, routes: [], commands: {} }),
    counters: new RequestCounters(),
    lastRequest: new Float64Array(1),
    onFailure: () => undefined,
    environment: home.app.environment,
    keyLimiter: arrivals,
    failureLimiter: null,
    runtime: systemRuntime,
    log: makeLog("json", (text) => void log.push(text)),
    publicUrl: "http://cap.example",
    files: readHere,
    bodyBytesMax: 1000,
    turns,
  });
  const app = makeServer({ routes: [route("much"), route("little")], publicRoutes: [] }, edge).listen({
    hostname: "127.0.0.1",
    port: 0,
  });
  closers.push(() => app.server?.stop(true));
  const url = `http://127.0.0.1:${app.server?.port}/api/v1`;
  const get = async (name: "much" | "little", key: string, signal: AbortSignal = never) => {
    const answer = await fetch(`${url}/${name}`, { headers: { authorization: `Bearer ${key}` }, signal });
    return { status: answer.status, headers: answer.headers, text: await answer.text() };
  };
  return { stages, log, url, get, arrivals };
}

function ok(): Reply {
  return { status: 200, json: { is: "ok" } };
}

/** A file whose bytes come only when it is told to end: what makes it keeps its turn so long. */
function gated() {
  const gate = Promise.withResolvers<void>();
  const begun = Promise.withResolvers<void>();
  const run = (): Reply => {
    const content = new ReadableStream<Uint8Array>({
      async pull(controller) {
        begun.resolve();
        await gate.promise;
        controller.enqueue(new TextEncoder().encode("made"));
        controller.close();
      },
    });
    return { status: 200, file: { fileName: "a.txt", contentType: "text/plain", content } };
  };
  return { run, begun: begun.promise, end: () => gate.resolve() };
}

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await Bun.sleep(2);
}

describe("a request that reads much", () => {
  test("waits for another of its key, and others do not wait for it", async () => {
    const { stages, get } = serve(true);
    const { run, begun, end } = gated();
    stages.much.run = run;
    const key = await home.key("VIEWER");
    const first = get("much", key);
    await begun;
    stages.much.run = ok;
    const second = get("much", key);
    for (let n = 0; n < 10; n++) expect((await get("little", key)).status).toBe(200);
    expect((await get("much", await home.key("EDITOR"))).status).toBe(200);
    expect(stages.much.count).toBe(2);
    end();
    expect([(await first).text, (await second).status, stages.much.count]).toEqual(["made", 200, 3]);
  });

  test("is refused with a problem where its turn does not come", async () => {
    const { stages, get } = serve(true, { patienceMs: 20 });
    const { run, begun, end } = gated();
    stages.much.run = run;
    const key = await home.key("VIEWER");
    const first = get("much", key);
    await begun;
    const { status, headers, text } = await get("much", key);
    expect([status, headers.get("retry-after"), JSON.parse(text).type]).toEqual([
      503,
      "5",
      "http://cap.example/problems/unavailable",
    ]);
    end();
    expect((await first).status).toBe(200);
  });

  test("that its client ends while it waits is never run, and holds up no other", async () => {
    const { stages, get, log, arrivals } = serve(true);
    const { run, begun, end } = gated();
    stages.much.run = run;
    const key = await home.key("VIEWER");
    const first = get("much", key);
    await begun;
    stages.much.run = ok;
    const going = new AbortController();
    const gone = get("much", key, going.signal).catch(() => "gone");
    const last = get("much", key);
    await until(() => arrivals.count === 3);
    going.abort();
    expect(await gone).toBe("gone");
    await until(() => log.join("").includes('"status":499'));
    end();
    expect([(await first).status, (await last).status, stages.much.count]).toEqual([200, 200, 2]);
    expect(log.join("")).not.toContain('"status":5');
  });

  test("that its client ends while its file is made gives its turn back", async () => {
    const { stages, get } = serve(true);
    const { run, begun, end } = gated();
    stages.much.run = run;
    const key = await home.key("VIEWER");
    const going = new AbortController();
    const gone = get("much", key, going.signal).catch(() => "gone");
    await begun;
    going.abort();
    expect(await gone).toBe("gone");
    end();
    stages.much.run = ok;
    expect((await get("much", key)).status).toBe(200);
  });

  test("is 401 where its key was revoked while it waited", async () => {
    const { stages, get, arrivals } = serve(true);
    const { run, begun, end } = gated();
    stages.much.run = run;
    const { id, key } = (await home.api("POST", "/api-keys", { name: "mine", role: "VIEWER" })).json;
    const first = get("much", key);
    await begun;
    const waiting = get("much", key);
    await until(() => arrivals.count === 2);
    expect((await home.api("DELETE", `/api-keys/${id}`)).status).toBe(204);
    end();
    expect([(await first).status, (await waiting).status, stages.much.count]).toEqual([200, 401, 1]);
  });

  test("gives its turn back when it fails", async () => {
    const { stages, get } = serve(true);
    const key = await home.key("VIEWER");
    const failing = [
      () => {
        throw new Error("inside");
      },
      () => ({
        status: 200 as const,
        file: {
          fileName: "a",
          contentType: "text/plain",
          content: new ReadableStream<Uint8Array>({
            pull() {
              throw new Error("inside");
            },
          }),
        },
      }),
    ];
    for (const run of failing) {
      stages.much.run = run;
      expect((await get("much", key)).status).toBe(500);
    }
    stages.much.run = ok;
    expect((await get("much", key)).status).toBe(200);
  });
});

/** Sends two requests that read much, and one that reads little while the first of them runs. */
const CLIENT = `
  import { connect } from "node:net";
  import { existsSync, writeFileSync } from "node:fs";
  const [folder, port, one, other] = process.argv.slice(-4);
  const sockets = [one, other, one].map(() => connect(Number(port), "127.0.0.1"));
  await Promise.all(sockets.map((socket) => new Promise((resolve) => socket.on("connect", resolve))));
  const get = (socket, name, key) => new Promise((sent) => socket.write(
    "GET /api/v1/" + name + " HTTP/1.1\\r\\nhost: a\\r\\nconnection: close\\r\\nauthorization: Bearer " + key + "\\r\\n\\r\\n", sent));
  await Promise.all([get(sockets[0], "much", one), get(sockets[1], "much", other)]);
  while (!existsSync(folder + "/begun")) await Bun.sleep(1);
  await get(sockets[2], "little", one);
  writeFileSync(folder + "/sent", "");
  await Promise.all(sockets.map((socket) => new Promise((resolve) => socket.resume().on("close", resolve))));
`;

describe("between two that hold the event loop, clients that came meanwhile are answered:", () => {
  /** In which order three requests are answered, the last of them sent while the first runs. */
  async function order(isMuch: boolean): Promise<string[]> {
    const { stages, url } = serve(isMuch);
    const here = mkdtempSync(join(folder, "order-"));
    const answered: string[] = [];
    stages.much.run = () => {
      answered.push("much");
      writeFileSync(join(here, "begun"), "");
      // Nothing else runs in this process until the other one has sent its last request.
      while (!existsSync(join(here, "sent"))) Bun.sleepSync(1);
      return ok();
    };
    stages.little.run = () => {
      answered.push("little");
      return ok();
    };
    const script = join(here, "client.ts");
    writeFileSync(script, CLIENT);
    const keys = [await home.key("VIEWER"), await home.key("EDITOR")];
    const client = Bun.spawn([process.execPath, script, here, new URL(url).port, ...keys], { stderr: "inherit" });
    expect(await client.exited).toBe(0);
    return answered;
  }

  test("the one that reads little before the second that reads much", async () => {
    expect(await order(true)).toEqual(["much", "little", "much"]);
  });

  test("which it would not be if reads did not wait for a turn", async () => {
    expect(await order(false)).toEqual(["much", "much", "little"]);
  });
});

describe("in the service", () => {
  const expenses = ROUTES.flatMap((route) => (route.method === "GET" && route.expense ? [route] : []));

  test("views as of a date and exports read much, and a view of now does not", () => {
    const isReport = ({ tag, path }: ReadRoute) => tag === "Reports" || /\.(csv|pdf|xlsx)$/.test(path);
    const views = expenses.filter((route) => !isReport(route));
    const shown = (query: Record<string, string>) => views.map((route) => [route.path, route.expense?.(query)]);
    const reports = expenses.filter(isReport);
    expect(new Set(reports.map((route) => route.expense?.({})))).toEqual(new Set(["report"]));
    expect(shown({})).toEqual([
      ["/api/v1/portal", null],
      ["/api/v1/portal/acceptances", "much"],
      ["/api/v1/transactions/:id/proof", "much"],
      ["/api/v1/audit-log/:id/proof", "much"],
      ["/api/v1/portal/securities/:id/proof", "much"],
      ["/api/v1/cap-table", null],
      ["/api/v1/cap-table/history", "much"],
      ["/api/v1/stakeholders/:id/position", null],
      ["/api/v1/compliance/iso-limit", null],
      ["/api/v1/compliance/rule-701", null],
      ["/api/v1/compliance/option-grants", null],
      ["/api/v1/scenarios/:id/result", "much"],
      ["/api/v1/cap-table/health", "much"],
      ["/api/v1/dates", "much"],
      ["/api/v1/portal/dates", "much"],
      ["/api/v1/cap-table/ocf-export", "much"],
    ]);
    for (const name of ["asOf", "knownAt"]) {
      const takes = new Map(shown({ [name]: "2026-01-15" }).map(([path, what]) => [path, what]));
      const dated = ["/api/v1/cap-table", "/api/v1/stakeholders/:id/position"];
      expect(dated.map((path) => takes.get(path))).toEqual(["much", "much"]);
    }
  });

  test("what is wrong with a query is told at once", async () => {
    expect((await home.api("GET", "/cap-table?asOf=2026-02-30")).status).toBe(422);
  });

  test("nine at once of one key are all answered, and alike", async () => {
    const ask = () => home.api("GET", "/cap-table?asOf=2026-01-15");
    const answers = await Promise.all(Array.from({ length: 9 }, ask));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  });
});
