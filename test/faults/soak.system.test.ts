// Ordinary life without a pause: thirty requests a second of every kind, imports, exports, backups, and an embedded chain that
// mints and is taken away now and then by a command that reads it. The process must neither slow down nor grow.
// `CAPTABLE_SOAK_MINUTES` says how long; the suite runs five seconds of it, where growth cannot be told.
import { expect, test } from "bun:test";
import { existsSync, rmSync, statSync } from "node:fs";
import { availableParallelism, loadavg } from "node:os";
import { dirname, join } from "node:path";
import { newDataDir, runProgram } from "../kit/program.ts";
import { proved } from "../kit/proof.ts";
import { issueShares, makeShareClass, makeStakeholder } from "../kit/records.ts";
import { RELEASE } from "../kit/release.ts";
import type { Answer } from "../kit/service.ts";
import { serveWatched, type Watched } from "./support/watched.ts";

const MINUTES = Number(process.env.CAPTABLE_SOAK_MINUTES ?? (RELEASE ? 20 : 5 / 60));
const SECONDS = MINUTES * 60;
const PER_SECOND = 30;
/** From here on growth and slowness count. */
const WARM_SECONDS = SECONDS * 0.3;
const IS_LONG = MINUTES >= 5;
const MEBIBYTE = 2 ** 20;

interface Sample {
  readonly second: number;
  readonly rssMb: number;
  readonly files: number;
  readonly walMb: number;
}

/**
 * Calls the API of a served program as clients should: a connection that was kept open may close, after 30 s without use,
 * just as the next request is sent on it, and then the request is sent again with the same `Idempotency-Key`.
 */
function callerOf({ url, key }: Watched, onClosed: () => void): Api {
  return async (method, path, body) => {
    const headers = {
      authorization: `Bearer ${key}`,
      "content-type": "application/json",
      "idempotency-key": crypto.randomUUID(),
    };
    const init = { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) };
    const send = () => fetch(`${url}/api/v1${path}`, init);
    const response = await send().catch((error: unknown) => {
      if (!(error instanceof Error && "code" in error && error.code === "ECONNRESET")) throw error;
      onClosed();
      return send();
    });
    const text = await response.text();
    const isJson = response.headers.get("content-type")?.includes("json") && text !== "";
    return { status: response.status, headers: response.headers, text, json: isJson ? JSON.parse(text) : {} };
  };
}

type Api = (method: string, path: string, body?: unknown) => Promise<Answer>;

/** What a process holds, and how large its write-ahead log is. */
function look(served: Watched, dataDir: string, second: number): Sample {
  const wal = join(dataDir, "captable.db-wal");
  const walBytes = existsSync(wal) ? statSync(wal).size : 0;
  return { second, rssMb: served.memoryMb(), files: served.files(), walMb: walBytes / MEBIBYTE };
}

const median = (numbers: readonly number[]) => [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0;

/** What clients do, one after the other: writes and reads as a small company has them. */
async function makeWork(api: Api) {
  const holder = await makeStakeholder({ api });
  const other = await makeStakeholder({ api });
  const stockClassId = await makeShareClass({ api }, { initialSharesAuthorized: "900000000000" });
  const securityId = await issueShares({ api }, { stakeholderId: holder, stockClassId, quantity: "100000000" });
  const parties = { fromStakeholderId: holder, toStakeholderId: other };
  const dated = { effectiveDate: "2026-02-01" };
  const issuance = (n: number) => ({ stakeholderId: other, stockClassId, quantity: "5", certificateId: `S-${n}` });
  const work: ((n: number) => Promise<Answer>)[] = [
    () => api("GET", "/securities?limit=25"),
    (n) => api("POST", "/transactions/issue-shares", { ...issuance(n), ...dated }),
    () => api("GET", "/cap-table/summary"),
    () => api("POST", "/transactions/transfer", { securityId, ...parties, quantity: "1", ...dated }),
    () => api("GET", "/stakeholders?q=holder"),
    (n) => api("PATCH", `/stakeholders/${other}`, { comments: `Note ${n}` }),
    () => api("GET", "/transactions?limit=100"),
    (n) => api("POST", "/stock-legends", { name: `Legend ${n}`, text: "Restricted" }),
    () => api("GET", `/securities/${securityId}`),
    () => api("GET", "/share-classes"),
  ];
  return (n: number) => (work[n % work.length] ?? work[0] ?? (() => api("GET", "/organization")))(n);
}

/** What happens now and then beside the requests. */
function makeEvents(api: Api, dataDir: string) {
  const out = join(dirname(dataDir), "backup.captable");
  let count = 0;
  const importing = () => {
    const items = Array.from({ length: 50 }, (_, n) => {
      const id = `soak-${count++}-${n}`;
      return { object_type: "STAKEHOLDER", id, name: { legal_name: id }, stakeholder_type: "INDIVIDUAL" };
    });
    const file = { file_type: "OCF_STAKEHOLDERS_FILE", items };
    return api("POST", "/cap-table/ocf-import", {
      manifest: { ocf_version: "1.2.0" },
      entityFiles: { "stakeholders.json": file },
    });
  };
  const running = async (...args: string[]) => {
    const { status, stderr } = await runProgram([...args, "--data-dir", dataDir]);
    return { status: status === 0 ? 200 : 500, text: stderr };
  };
  const backingUp = () => {
    rmSync(out, { force: true });
    return running("backup", "--out", out);
  };
  const exporting = () => api("GET", "/cap-table/ocf-export");
  // While shares are being minted it may well find the chain behind the ledger.
  const reconciling = async () => {
    await running("chain", "reconcile");
    return { status: 200, text: "" };
  };
  return [importing, exporting, backingUp, () => api("GET", "/cap-table"), reconciling];
}

/** Sends requests at their times, whether or not earlier ones are answered; returns what came of them. */
async function live(served: Watched, dataDir: string) {
  let closed = 0;
  const api = callerOf(served, () => closed++);
  const work = await makeWork(api);
  const events = makeEvents(api, dataDir);
  const samples: Sample[] = [];
  const times: number[] = [];
  const failures: string[] = [];
  const pending = new Set<Promise<unknown>>();
  let requests = 0;
  const started = performance.now();
  const second = () => (performance.now() - started) / 1000;
  const track = (name: string, answer: Promise<{ readonly status: number; readonly text: string }>) => {
    const judged = answer.then(
      ({ status, text }) => status >= 400 && failures.push(`${name}: ${status} ${text.slice(0, 200)}`),
      (error: unknown) => failures.push(`${name}: ${error}`),
    );
    pending.add(judged);
    void judged.finally(() => pending.delete(judged));
  };
  const timed = async (n: number) => {
    const sent = performance.now();
    const answer = await work(n);
    if (second() > WARM_SECONDS) times.push(performance.now() - sent);
    requests++;
    return answer;
  };
  const eventEvery = PER_SECOND * (IS_LONG ? 15 : 1);
  for (let n = 0; second() < SECONDS; n++) {
    track(`request ${n}`, timed(n));
    const event = n % eventEvery === eventEvery - 1 ? events[Math.floor(n / eventEvery) % events.length] : undefined;
    if (event) track(`event ${n}`, event());
    if (n % PER_SECOND === 0) samples.push(look(served, dataDir, second()));
    await Bun.sleep(Math.max(0, started + ((n + 1) * 1000) / PER_SECOND - performance.now()));
  }
  await Promise.all(pending);
  return { samples, times: times.sort((a, b) => a - b), failures, requests, closed };
}

/** The medians of a figure in the first and in the last quarter of the time that counts. */
function trend(samples: readonly Sample[], figure: "rssMb" | "files"): readonly [early: number, late: number] {
  const warm = samples.filter(({ second }) => second > WARM_SECONDS).map((sample) => sample[figure]);
  const quarter = Math.ceil(warm.length / 4);
  return [median(warm.slice(0, quarter)), median(warm.slice(-quarter))];
}

const TITLE = `${Math.round(SECONDS)} seconds of ${PER_SECOND} requests a second, imports, exports and backups`;

test(
  `${TITLE}: no growth, no failure`,
  async () => {
    const dataDir = newDataDir();
    const served = await serveWatched(dataDir);
    const { samples, times, failures, requests, closed } = await live(served, dataDir);
    expect(await served.end()).toBe(0);
    expect((await runProgram(["verify", "--data-dir", dataDir])).status).toBe(0);
    rmSync(dirname(dataDir), { recursive: true, force: true });

    const [rss, files] = [trend(samples, "rssMb"), trend(samples, "files")];
    const walMb = Math.max(...samples.map((sample) => sample.walMb));
    const p99 = times[Math.floor(times.length * 0.99)] ?? 0;
    const figures =
      `memory ${rss.join(" to ")} MB, files ${files.join(" to ")}, log at most ${walMb.toFixed(1)} MB, ` +
      `p50 ${median(times).toFixed(1)} ms, p99 ${p99.toFixed(1)} ms, ${closed} idle connections closed under a request`;
    const [load = 0] = loadavg();
    if (IS_LONG) process.stdout.write(`${figures}, ${requests} requests, load ${load.toFixed(1)}\n`);
    expect(failures).toEqual([]);
    expect(closed).toBeLessThan(5);
    expect(walMb).toBeLessThan(64);
    if (IS_LONG) {
      expect(rss[1]).toBeLessThan(rss[0] * 1.1);
      expect(Math.abs(files[1] - files[0])).toBeLessThanOrEqual(3);
      // On a machine that is busy with something else, times say nothing of the program.
      if (load < availableParallelism()) expect(p99).toBeLessThan(50);
    }
    const what = `requests in ${SECONDS} seconds at ${PER_SECOND} a second, with imports, exports and backups`;
    proved({ fault: "K1", what, count: requests, seed: "-", result: `no failure, ${figures}` });
  },
  SECONDS * 1000 + 300_000,
);
