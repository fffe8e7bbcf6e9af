// `captable api` as a process: asked at a terminal, looked at by `ps`, followed and killed, against the program itself.
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { newDataDir, PROGRAM, programEnvironment, runProgram, type Served, serveProgram } from "../../kit/program.ts";

setDefaultTimeout(120_000);

const folder = mkdtempSync(join(tmpdir(), "captable-terminal-"));
const dataDir = newDataDir();
const keyFile = join(dataDir, "admin.key");
let served: Served;
let classId = "";
let shares = "";

const api = (...words: string[]) => runProgram(["api", ...words, "--server", served.url, "--key-file", keyFile]);
/** Runs a command that answers a record, and returns it. */
async function made(...words: string[]): Promise<Record<string, string> & { data: Record<string, string> }> {
  const { status, stdout, stderr } = await api(...words, "--json");
  expect([words.join(" "), status, stderr]).toEqual([words.join(" "), 0, ""]);
  return JSON.parse(stdout);
}
const person = (name: string) =>
  made("stakeholders", "create", "--display-name", name, "--name.legal-name", name, "--type", "INDIVIDUAL");

beforeAll(async () => {
  served = await serveProgram(dataDir, { CAPTABLE_CHAIN: "off" });
  const common = ["--name", "Common", "--class-type", "COMMON", "--default-id-prefix", "CS-", "--seniority", "1"];
  ({ id: classId = "" } = await made(
    "share-classes",
    "create",
    ...common,
    "--initial-shares-authorized",
    "10000",
    "--votes-per-share",
    "1",
  ));
  const { id: ada = "" } = await person("Ada");
  const issue = [
    "--stakeholder-id",
    ada,
    "--stock-class-id",
    classId,
    "--quantity",
    "1000",
    "--certificate-id",
    "CS-1",
  ];
  const { data } = await made("transactions", "issue-shares", ...issue, "--effective-date", "2025-01-02");
  shares = data.securityId ?? "";
});
afterAll(async () => {
  await served.end();
  rmSync(folder, { recursive: true, force: true });
});

/** Types a command at a terminal, and an answer to its question. */
async function atTerminal(words: readonly string[], answer: string): Promise<{ status: number; shown: string }> {
  const line = [...PROGRAM, "api", ...words, "--server", served.url, "--key-file", keyFile]
    .map((word) => `'${word}'`)
    .join(" ");
  const child = Bun.spawn(["script", "-qec", line, "/dev/null"], {
    env: programEnvironment({ COLUMNS: "200" }),
    stdin: "pipe",
    stdout: "pipe",
    stderr: "pipe",
  });
  let shown = "";
  for await (const text of child.stdout.pipeThrough(new TextDecoderStream())) {
    shown += text;
    if (shown.includes("[y/N] ") && answer !== "") {
      child.stdin.write(`${answer}\n`);
      await child.stdin.flush();
      answer = "";
    }
  }
  return { status: await child.exited, shown };
}

test.skipIf(Bun.which("script") === null)(
  "a split is shown and asked about at a terminal: no keeps nothing, yes does it",
  async () => {
    const split = ["transactions", "split", "--stock-class-id", classId, "--numerator", "2", "--denominator", "1"];
    const words = [...split, "--effective-date", "2025-06-01"];
    const quantity = async () => (await made("securities", "get", shares)).quantity;
    const refused = await atTerminal(words, "n");
    expect(refused.status).toBe(2);
    expect(refused.shown).toContain("Would change:");
    expect(refused.shown).toMatch(/quantity\s+1000\s+2000/);
    expect(await quantity()).toBe("1000");
    // The end of the input is no yes: Control-D, and Control-C.
    for (const ending of ["\u0004", "\u0003"]) {
      const { status } = await atTerminal(words, ending);
      expect([ending, status]).toEqual([ending, 2]);
      expect(await quantity()).toBe("1000");
    }
    const body = { stockClassId: classId, numerator: 2, denominator: 1, effectiveDate: "2025-06-01" };
    const file = join(folder, "split.json");
    writeFileSync(file, JSON.stringify(body));
    const byPath = await atTerminal(["POST", "/api/v1/transactions/split", "--data", file], "n");
    expect([byPath.status, await quantity()]).toEqual([2, "1000"]);
    expect(byPath.shown).toMatch(/quantity\s+1000\s+2000/);
    const done = await atTerminal(words, "y");
    expect(done.status).toBe(0);
    expect(await quantity()).toBe("2000");
    const { id = "" } = await person("Gone");
    expect((await atTerminal(["stakeholders", "delete", id], "yes")).status).toBe(0);
    expect((await api("stakeholders", "get", id)).status).toBe(3);
  },
);

test("the key is in no list of processes, and the command ends at the signal", async () => {
  const child = Bun.spawn([...PROGRAM, "api", "events", "follow", "--server", served.url, "--key-file", keyFile], {
    env: programEnvironment(),
    stdout: "pipe",
    stderr: "pipe",
  });
  const reader = child.stdout.pipeThrough(new TextDecoderStream()).getReader();
  const first = reader.read();
  let isThere = false;
  first.then(() => {
    isThere = true;
  });
  // It follows from now on: what is written until it listens may be before that.
  for (let at = 0; !isThere; at++) {
    await person(`P${at}`);
    await Bun.sleep(20);
  }
  const listed = Bun.spawnSync(["ps", "-eo", "args"]).stdout.toString();
  expect(listed).toContain("events follow");
  expect(listed).not.toContain(served.key);
  expect((await first).value).not.toContain(served.key);
  child.kill("SIGTERM");
  expect(await child.exited).toBe(0);
});

test("what is followed with a state goes on after kills where it was: no event is lost, at most one comes again", async () => {
  const state = join(folder, "cursor");
  const { cursor = "" } = JSON.parse((await api("events", "get", "--after", "latest", "--json")).stdout);
  writeFileSync(state, `${cursor}\n`);
  const wanted = 30;
  for (let at = 0; at < wanted; at++) await person(`Followed ${at}`);
  const told: string[] = [];
  const words = ["events", "follow", "--types", "stakeholder.created", "--state", state];
  for (let rounds = 0; new Set(told).size < wanted && rounds < 60; rounds++) {
    const child = Bun.spawn([...PROGRAM, "api", ...words, "--server", served.url, "--key-file", keyFile], {
      env: programEnvironment(),
      stdout: "pipe",
      stderr: "ignore",
    });
    let text = "";
    const most = 1 + (rounds % 5);
    for await (const piece of child.stdout.pipeThrough(new TextDecoderStream())) {
      text += piece;
      const lines = text.split("\n").length - 1;
      if (lines >= most || new Set(told).size + lines >= wanted) break;
    }
    child.kill("SIGKILL");
    await child.exited;
    const lines = text.split("\n").slice(0, -1);
    told.push(...lines.map((line) => JSON.parse(line).data.resourceId as string));
  }
  const names = new Map<string, string>();
  const { stdout } = await api("stakeholders", "list", "--all", "--output", "jsonl");
  for (const line of stdout.trim().split("\n")) {
    const { id, displayName } = JSON.parse(line) as { id: string; displayName: string };
    names.set(id, displayName);
  }
  const inOrder = [...new Set(told)].map((id) => names.get(id) ?? id);
  expect(inOrder).toEqual(Array.from({ length: wanted }, (_, at) => `Followed ${at}`));
  expect(readFileSync(state, "utf8")).toMatch(/^[A-Za-z0-9_-]+\n$/);
  const wrong = join(folder, "wrong");
  writeFileSync(wrong, "not a cursor at all\n");
  expect((await api("events", "follow", "--state", wrong)).status).toBe(2);
});
