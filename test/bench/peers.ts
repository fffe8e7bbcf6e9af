// The same load on two other programs that keep records behind an API, beside this one: Directus, which writes to SQLite,
// and PostGraphile, which writes to PostgreSQL. Both keep a row and nothing else: no ledger, no audit log, no idempotency,
// and PostGraphile asks for no key. `--peers FOLDER` names where they are installed, each in a folder of its own:
// `npm install directus` in FOLDER/directus, `npm install postgraphile` in FOLDER/postgraphile. PostGraphile needs
// `initdb` and `postgres` on the PATH. Nothing of either is part of this program.
import { chmodSync, existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { issuing, makeCompany, waitForToken } from "./company.ts";
import type { Requests } from "./load.ts";
import type { Bench } from "./part.ts";
import { freePort, Server, startService } from "./programs.ts";
import type { Aim } from "./report.ts";

const PART = "peers";
const CONNECTIONS = 64;
const WAIT_MS = 120_000;
const TOKEN = "bench-token";
const ROW = { holder: "0190f5a2-6c1e-7b3a-9d4e-1f2a3b4c5d6f", quantity: "100", issued: "2026-01-15" };

/** Another program that is running, and how a row is created in it. */
interface Peer {
  readonly name: string;
  readonly server: Server;
  readonly request: Pick<Requests, "path" | "headers" | "body" | "expect">;
  readonly aim: Aim;
  readonly isReady: () => Promise<boolean>;
  readonly others: readonly Bun.Subprocess[];
}

/** Measures them; a peer that is not installed is told and left out. */
export function measurePeers(installed: string) {
  return async (bench: Bench): Promise<void> => {
    const { folder, rounds, seconds, report } = bench;
    await using service = await startService(join(folder, "data"));
    const company = await makeCompany(service);
    await waitForToken(service, company);
    const peers: Peer[] = [];
    try {
      for (const start of [startDirectus, startPostGraphile]) {
        const peer = await start(installed, folder);
        if (peer) peers.push(peer);
      }
      for (const server of [service, ...peers.map((peer) => peer.server)]) server.pause();
      let from = 0;
      const create = ({ server, request }: Peer) => {
        from += 1_000_000;
        return bench.load(server, { connections: CONNECTIONS, seconds, method: "POST", from, ...request });
      };
      const issue = () => bench.load(service, issuing(service, company, CONNECTIONS, seconds));
      for (const peer of peers) await create(peer);
      await issue();
      for (let round = 0; round < rounds; round++) {
        const { perSecond } = await issue();
        report.note(PART, `issue-shares at ${CONNECTIONS}`, perSecond, "/s");
        for (const peer of peers) {
          const created = await create(peer);
          report.note(PART, `${peer.name} creates at ${CONNECTIONS}`, created.perSecond, "/s");
          const ratio = perSecond / created.perSecond;
          report.note(PART, `issue-shares at ${CONNECTIONS} / ${peer.name} creates`, ratio, "×", peer.aim);
        }
      }
    } finally {
      for (const peer of peers) await end(peer);
    }
  };
}

async function end({ server, others }: Peer): Promise<void> {
  await server[Symbol.asyncDispose]();
  for (const other of others) {
    other.kill("SIGINT");
    await other.exited;
  }
}

function found(installed: string, name: string): string | null {
  const program = join(installed, name, "node_modules/.bin", name);
  if (existsSync(program)) return program;
  process.stderr.write(`bench: ${name} is left out: there is no ${program}\n`);
  return null;
}

async function ready(peer: Peer): Promise<Peer> {
  for (const started = performance.now(); performance.now() - started < WAIT_MS; await Bun.sleep(200)) {
    if (await peer.isReady().catch(() => false)) return peer;
  }
  await end(peer);
  throw new Error(`${peer.name} did not come up within ${WAIT_MS} ms`);
}

async function startDirectus(installed: string, folder: string): Promise<Peer | null> {
  const program = found(installed, "directus");
  if (program === null) return null;
  const cwd = join(folder, "directus");
  mkdirSync(cwd);
  const port = freePort();
  const env = {
    ...process.env,
    ...{ DB_CLIENT: "sqlite3", DB_FILENAME: join(cwd, "data.db"), SECRET: "bench-bench-bench", ADMIN_TOKEN: TOKEN },
    ...{ ADMIN_EMAIL: "bench@example.com", ADMIN_PASSWORD: "bench-password", HOST: "127.0.0.1", PORT: String(port) },
    ...{ TELEMETRY: "false", LOG_LEVEL: "error", RATE_LIMITER_ENABLED: "false", PRESSURE_LIMITER_ENABLED: "false" },
  };
  const quiet = { cwd, env, stdin: "ignore", stdout: "ignore", stderr: "ignore" } as const;
  const made = Bun.spawn(["node", program, "bootstrap"], quiet);
  if ((await made.exited) !== 0) throw new Error("directus bootstrap failed");
  const url = `http://127.0.0.1:${port}`;
  const headers = { authorization: `Bearer ${TOKEN}`, "content-type": "application/json" };
  const field = (name: string, type: string, schema = {}) => ({ field: name, type, schema });
  const fields = [
    field("id", "integer", { is_primary_key: true, has_auto_increment: true }),
    ...[field("holder", "uuid"), field("quantity", "decimal"), field("number", "string"), field("issued", "date")],
  ];
  const peer: Peer = {
    name: "Directus",
    server: new Server(Bun.spawn(["node", program, "start"], quiet), port),
    request: { path: "/items/certificates", headers, body: JSON.stringify({ ...ROW, number: "B-{n}" }), expect: 200 },
    aim: { atLeast: 50 },
    isReady: async () => (await fetch(`${url}/server/ping`)).ok,
    others: [],
  };
  await ready(peer);
  const collection = JSON.stringify({ collection: "certificates", schema: {}, fields });
  const answer = await fetch(`${url}/collections`, { method: "POST", headers, body: collection });
  if (!answer.ok) throw new Error(`directus: ${await answer.text()}`);
  return peer;
}

const TABLE =
  "create table certificates(id uuid primary key default gen_random_uuid(), holder uuid not null, " +
  "quantity numeric not null, number text not null unique, issued date not null)";
const MUTATION = `mutation($row: CertificateInput!) {
  createCertificate(input: { certificate: $row }) { certificate { id } }
}`;

async function startPostGraphile(installed: string, folder: string): Promise<Peer | null> {
  const program = found(installed, "postgraphile");
  if (program === null) return null;
  if (Bun.which("postgres") === null || Bun.which("initdb") === null) {
    process.stderr.write("bench: postgraphile is left out: there is no initdb or postgres on the PATH\n");
    return null;
  }
  const [place, dbPort, port] = [join(folder, "postgres"), freePort(), freePort()];
  mkdirSync(place);
  // PostgreSQL refuses to run as root.
  const isRoot = process.getuid?.() === 0;
  const as = isRoot ? ["setpriv", "--reuid=65534", "--regid=nogroup", "--clear-groups"] : [];
  if (isRoot) {
    chmodSync(folder, 0o755);
    chmodSync(join(folder, ".."), 0o755);
    chmodSync(place, 0o777);
  }
  const quiet = { cwd: place, stdin: "ignore", stdout: "ignore", stderr: "ignore" } as const;
  const data = join(place, "data");
  const made = Bun.spawn([...as, "initdb", "-D", data, "-A", "trust", "-U", "bench"], quiet);
  if ((await made.exited) !== 0) throw new Error("initdb failed");
  const listening = ["-k", place, "-p", String(dbPort), "-h", "127.0.0.1"];
  const postgres = Bun.spawn([...as, "postgres", "-D", data, ...listening], quiet);
  const sql = new Bun.SQL(`postgres://bench@127.0.0.1:${dbPort}/postgres`);
  await untilDone(() => sql.unsafe(TABLE));
  await sql.end();
  const from = `postgres://bench@127.0.0.1:${dbPort}/postgres`;
  const listen = ["-c", from, "-p", String(port), "-n", "127.0.0.1", "--disable-query-log"];
  const headers = { "content-type": "application/json" };
  const url = `http://127.0.0.1:${port}/graphql`;
  const ask = (query: string) => fetch(url, { method: "POST", headers, body: JSON.stringify({ query }) });
  return await ready({
    name: "PostGraphile",
    server: new Server(Bun.spawn(["node", program, ...listen], quiet), port),
    request: {
      path: "/graphql",
      headers,
      body: JSON.stringify({ query: MUTATION, variables: { row: { ...ROW, number: "B-{n}" } } }),
      expect: 200,
    },
    aim: { atLeast: 4 },
    isReady: async () => (await ask("{ __typename }")).ok,
    others: [postgres],
  });
}

/** Tries until the database answers. */
async function untilDone(work: () => Promise<unknown>): Promise<void> {
  for (const started = performance.now(); ; await Bun.sleep(100)) {
    try {
      await work();
      return;
    } catch (error) {
      if (performance.now() - started > WAIT_MS) throw error;
    }
  }
}
