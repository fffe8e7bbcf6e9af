// `bun run bench`: one table of ratios, each the median of interleaved rounds of one run. Absolute figures are the
// machine's; the ratios are ours.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Elysia } from "elysia";
import { bareIssuancesPerSecond } from "./bare.ts";
import { type Load, runLoad } from "./load.ts";

const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 5);
const SECONDS = Number(process.env.BENCH_SECONDS ?? 2);
const folder = mkdtempSync(join(tmpdir(), "captable-bench-"));
const dataDir = join(folder, "data");

async function startService(): Promise<{ port: number; stop(): Promise<void> }> {
  const port = 20_000 + (process.pid % 20_000);
  const program = process.env.BENCH_BINARY ? [process.env.BENCH_BINARY] : [process.execPath, "cli/main.ts"];
  const environment = { ...process.env, CAPTABLE_RATE_LIMIT: "0", CAPTABLE_LOG: "off" };
  const child = Bun.spawn([...program, "serve", "--data-dir", dataDir, "--port", String(port)], {
    env: environment,
    stderr: "pipe",
  });
  for await (const text of child.stderr.pipeThrough(new TextDecoderStream())) if (text.includes("serving")) break;
  return {
    port,
    async stop() {
      child.kill("SIGTERM");
      await child.exited;
    },
  };
}

const service = await startService();
const key = readFileSync(join(dataDir, "admin.key"), "utf8").trim();
const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };

async function create(path: string, body: unknown): Promise<string> {
  const url = `http://127.0.0.1:${service.port}/api/v1${path}`;
  const answer = await fetch(url, { method: "POST", headers, body: JSON.stringify(body) });
  const json = (await answer.json()) as { id?: string; data?: { securityId: string } };
  if (!answer.ok) throw new Error(`POST ${path}: ${JSON.stringify(json)}`);
  return json.id ?? json.data?.securityId ?? "";
}

const stakeholderId = await create("/stakeholders", {
  displayName: "Ada Lovelace",
  name: { legalName: "Ada Lovelace" },
  type: "INDIVIDUAL",
});
const stockClassId = await create("/share-classes", {
  name: "Common",
  classType: "COMMON",
  defaultIdPrefix: "CS-",
  initialSharesAuthorized: "999999999999999",
  votesPerShare: "1",
  seniority: 1,
});

let next = 1;
function issuing(connections: number): Load {
  const body = { stakeholderId, stockClassId, quantity: "100", certificateId: "B-{n}", effectiveDate: "2026-01-15" };
  next += 1_000_000;
  return {
    port: service.port,
    connections,
    seconds: SECONDS,
    method: "POST",
    path: "/api/v1/transactions/issue-shares",
    headers: { ...headers, "idempotency-key": "bench-{n}" },
    body: JSON.stringify(body),
    from: next,
    expect: 201,
  };
}

function getting(port: number, path: string, connections: number): Load {
  return { port, connections, seconds: SECONDS, method: "GET", path, headers, from: 0, expect: 200 };
}

const record = await (
  await fetch(`http://127.0.0.1:${service.port}/api/v1/stakeholders/${stakeholderId}`, { headers })
).text();
const fixed = new Elysia()
  .get("/static", () => new Response(record, { headers: { "content-type": "application/json" } }))
  .listen({ hostname: "127.0.0.1", port: 0 });
const fixedPort = fixed.server?.port ?? 0;

const measured = new Map<string, number[]>();
function note(name: string, value: number): void {
  measured.set(name, [...(measured.get(name) ?? []), value]);
}

function median(name: string): number {
  const values = [...(measured.get(name) ?? [])].sort((a, b) => a - b);
  return values[Math.floor(values.length / 2)] ?? Number.NaN;
}

await runLoad(issuing(1));
for (let round = 0; round < ROUNDS; round++) {
  const bare = bareIssuancesPerSecond(join(dataDir, "captable.db"), join(folder, `bare-${round}.db`), SECONDS);
  const many = await runLoad(issuing(64));
  const one = await runLoad(issuing(1));
  const fixedRate = await runLoad(getting(fixedPort, "/static", 64));
  const getOne = await runLoad(getting(service.port, `/api/v1/stakeholders/${stakeholderId}`, 64));
  const list = await runLoad(getting(service.port, "/api/v1/securities?limit=25", 64));
  if (many.unexpected + one.unexpected + getOne.unexpected + list.unexpected > 0) throw new Error("unexpected answers");
  note("bare SQLite, one FULL commit each, a second", bare);
  note("issue-shares at 64 connections, a second", many.perSecond);
  note("issue-shares at 1 connection, a second", one.perSecond);
  note("static Elysia route, a second", fixedRate.perSecond);
  note("GET one stakeholder, a second", getOne.perSecond);
  note("issue-shares at 64 / bare", many.perSecond / bare);
  note("issue-shares at 1 / bare", one.perSecond / bare);
  note("GET one / static", getOne.perSecond / fixedRate.perSecond);
  note("list of 25 / static", list.perSecond / fixedRate.perSecond);
}
for (const name of measured.keys()) {
  const values = measured.get(name) ?? [];
  const digits = median(name) > 100 ? 0 : 2;
  const [low, high] = [Math.min(...values).toFixed(digits), Math.max(...values).toFixed(digits)];
  process.stdout.write(`${name.padEnd(46)} ${median(name).toFixed(digits).padStart(8)}   (${low} to ${high})\n`);
}
await service.stop();
await fixed.stop();
rmSync(folder, { recursive: true, force: true });
