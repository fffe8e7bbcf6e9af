// kill -9 at moments of a commit: after the next start all of it is there, or nothing, and it can be committed again.
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { verifyDatabase } from "../../../src/safekeeping/verify/verify.ts";
import { startApp } from "../../../src/server/app.ts";
import { readConfig } from "../../../src/server/config.ts";
import { A_WHILE, newDataDir, type Served, serveProgram } from "../../kit/program.ts";
import { RELEASE } from "../../kit/release.ts";

const KILLS = RELEASE ? 200 : 4;
const ROWS = 600;
/** A commit is killed up to this much later than a whole one took. */
const BEYOND = 1.2;

setDefaultTimeout(RELEASE ? 3_600_000 : 300_000);

const folder = mkdtempSync(join(tmpdir(), "captable-import-kills-"));
const before = join(folder, "before");
let key = "";
let id = "";
let wholeMs = 0;

async function call(
  served: Pick<Served, "url">,
  method: string,
  path: string,
  body?: string,
  type = "application/json",
) {
  const headers = { authorization: `Bearer ${key}`, ...(body === undefined ? {} : { "content-type": type }) };
  const answer = await fetch(`${served.url}/api/v1${path}`, {
    method,
    headers,
    ...(body === undefined ? {} : { body }),
  });
  // biome-ignore lint/suspicious/noExplicitAny: answers are of every shape
  return (await answer.json()) as any;
}

async function ended(served: Pick<Served, "url">): Promise<string> {
  for (;;) {
    const { state } = (await call(served, "GET", `/imports/${id}`)).data;
    if (state !== "READING" && state !== "COMMITTING") return state;
    await Bun.sleep(10);
  }
}

function copied(name: string): string {
  const dataDir = join(folder, name);
  cpSync(before, dataDir, { recursive: true });
  return dataDir;
}

/** A data directory with an import that only has to be committed, and how long that takes. */
beforeAll(async () => {
  const dataDir = newDataDir();
  const served = await serveProgram(dataDir, { CAPTABLE_CHAIN: "off" });
  key = served.key;
  const rows = Array.from({ length: ROWS }, (_, at) => `Holder ${at},Individual`);
  const document = await call(served, "POST", "/documents", JSON.stringify({ title: "x", path: "Stakeholders.csv" }));
  await call(served, "PUT", `/documents/${document.id}/content`, `Holder,Type\n${rows.join("\n")}\n`, "text/csv");
  id = (await call(served, "POST", "/imports", JSON.stringify({ documentId: document.id }))).data.id;
  expect(await ended(served)).toBe("PREVIEWED");
  await served.end();
  cpSync(dataDir, before, { recursive: true });
  rmSync(join(dataDir, ".."), { recursive: true, force: true });
  const timed = await serveProgram(copied("timed"), { CAPTABLE_CHAIN: "off" });
  const started = performance.now();
  await call(timed, "POST", `/imports/${id}/commit`);
  expect(await ended(timed)).toBe("COMMITTED");
  wholeMs = performance.now() - started;
  await timed.end();
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** What a start finds: the import's state, and how many holders there are. */
async function found(dataDir: string): Promise<{ readonly state: string; readonly holders: number }> {
  const config = readConfig(
    { dataDir, port: "0" },
    { CAPTABLE_LOG: "off", CAPTABLE_CHAIN: "off", CAPTABLE_RATE_LIMIT: "0" },
  );
  const app = await startApp(config, { out: () => undefined });
  try {
    const state = (await call(app, "GET", `/imports/${id}`)).data.state;
    const { orgId, n } = app.reader.sqlite
      .prepare<[], { orgId: string; n: number }>(
        "select o.id as orgId, (select count(*) from stakeholders where orgId = o.id) as n from organizations o",
      )
      .get() ?? { orgId: "", n: -1 };
    expect(verifyDatabase(app.reader, orgId).differences).toEqual([]);
    if (state === "PREVIEWED") {
      await call(app, "POST", `/imports/${id}/commit`);
      expect(await ended(app)).toBe("COMMITTED");
    }
    return { state, holders: n };
  } finally {
    await app.stop();
  }
}

test(`a commit killed ${KILLS} times leaves all or nothing`, async () => {
  const left = new Map<string, number>();
  for (let kill = 0; kill < KILLS; kill++) {
    const dataDir = copied(`kill-${kill}`);
    const served = await serveProgram(dataDir, { CAPTABLE_CHAIN: "off", ...A_WHILE });
    await call(served, "POST", `/imports/${id}/commit`);
    // The first at once, and the last when all is written: whatever the machine, both ends are there.
    if (kill === KILLS - 1) await ended(served);
    else if (kill > 0) await Bun.sleep((wholeMs * BEYOND * kill) / (KILLS - 2));
    await served.end("SIGKILL");
    const { state, holders } = await found(dataDir);
    expect([state, holders]).toEqual(state === "COMMITTED" ? ["COMMITTED", ROWS] : ["PREVIEWED", 0]);
    left.set(state, (left.get(state) ?? 0) + 1);
    rmSync(dataDir, { recursive: true, force: true });
  }
  expect([...left.keys()].sort()).toEqual(["COMMITTED", "PREVIEWED"]);
});
