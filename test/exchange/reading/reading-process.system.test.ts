// The reading process is watched from outside and ended beyond its limits, whatever it does; its end is the end of that
// file alone. It has no environment, and opens nothing once it reads.
import { afterAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { constants, getPriority, tmpdir } from "node:os";
import { join } from "node:path";
import { zipSync } from "fflate";
import { hasReaderEnded, isTooComplex, takeLines } from "../../../src/exchange/reading/answer-lines.ts";
import { PIECE_BYTES, readApart } from "../../../src/exchange/reading/reading-process.ts";
import type { FileRequest } from "../../../src/exchange/reading/reading-protocol.ts";
import { OrganizationQueues, ReadingQueue } from "../../../src/exchange/reading/reading-queue.ts";
import { watch } from "../../../src/kernel/threads/limited-process.ts";
import { PROGRAM, SOURCES } from "../../kit/program.ts";

setDefaultTimeout(300_000);

const REQUEST: FileRequest = { form: "spreadsheet", gives: "rows", bounds: "served", name: "Stock.csv" };
const FILE = [{ name: "Stock.csv", bytes: Buffer.from("Certificate,Holder\nCS-1,Ada\n") }];
const BAD = [process.execPath, join(import.meta.dir, "bad-reader.ts")];

/** What came of reading a file: the lines, or what was thrown. */
async function reading(program: readonly string[], request = REQUEST, parts: typeof FILE = FILE) {
  const lines: object[] = [];
  try {
    await takeLines(readApart({ program, request, parts }), (line) => void lines.push(line));
    return { lines, error: null };
  } catch (error) {
    return { lines, error };
  }
}

describe("a reading process that", () => {
  test.each(["grows", "dies", "talks"])("%s is the end of its file", async (way) => {
    const { error } = await reading([...BAD, way]);
    if (!isTooComplex(error)) throw error;
    expect(error.detail).toStartWith("This file takes more memory or time to read than the server gives.");
    expect(hasReaderEnded(error)).toBe(way === "dies");
  });

  test("stops without an end of its answer has failed", async () => {
    expect(String((await reading([...BAD, "stops"])).error)).toContain("an answer has no end");
  });

  test("computes for too long is ended for its processor time, and one that waits is not", async () => {
    const limits = { bytes: 1024 ** 3, processorMs: 500 };
    const spinning = Bun.spawn([...BAD, "spins"], { stdout: "ignore" });
    const waiting = Bun.spawn(["sleep", "600"]);
    const watched = watch(spinning, limits);
    const other = watch(waiting, limits);
    await watched.ended;
    expect([watched.exceeded(), spinning.signalCode]).toEqual(["time", "SIGKILL"]);
    expect([other.exceeded(), waiting.exitCode]).toEqual([null, null]);
    waiting.kill();
    await other.ended;
  });

  test("takes a large file at once leaves other requests a turn after each piece", async () => {
    let isOver = false;
    let [pieces, most] = [0, 0];
    const turn = () => {
      pieces = 0;
      if (!isOver) setImmediate(turn);
    };
    turn();
    const large = Buffer.alloc(128 * PIECE_BYTES);
    const subarray = (from?: number, to?: number) => {
      most = Math.max(most, ++pieces);
      return Buffer.prototype.subarray.call(large, from, to);
    };
    const bytes = Object.assign(large, { subarray });
    await reading(["sh", "-c", "cat > /dev/null"], REQUEST, [{ name: "Stock.csv", bytes }]);
    isOver = true;
    expect(most).toBe(1);
  });

  test("reads what it should gives its lines", async () => {
    const { lines, error } = await reading(PROGRAM);
    expect(error).toBeNull();
    expect(lines[0]).toEqual({ sheet: { name: "Stock", isHidden: false } });
    expect(lines).toHaveLength(3);
  });

  test("reads for a service is behind its requests; one of a command is not", async () => {
    const rankOf = async (bounds: FileRequest["bounds"]) => {
      const { lines, error } = await reading([...BAD, "ranks"], { ...REQUEST, bounds });
      expect(error).toBeNull();
      return lines;
    };
    const rank = (name: number) => [{ sheet: { name: String(name), isHidden: false } }];
    const behind = Math.max(getPriority(), constants.priority.PRIORITY_BELOW_NORMAL);
    expect([await rankOf("served"), await rankOf("command")]).toEqual([rank(behind), rank(getPriority())]);
  });

  test("is no longer wanted is ended", async () => {
    const enough = new AbortController();
    const pieces = readApart({ program: [...BAD, "spins"], request: REQUEST, parts: FILE, signal: enough.signal });
    const taken = takeLines(pieces, () => undefined);
    setTimeout(() => enough.abort(new Error("enough")), 100);
    await expect(taken).rejects.toThrow("enough");
  });
});

test("one file is read at a time, in the order in which they came", async () => {
  const queue = new ReadingQueue();
  const asker = { orgId: "a", callerId: "k" };
  const order: string[] = [];
  const first = await queue.take(asker);
  const second = queue.take(asker).then((end) => {
    order.push("second");
    return end;
  });
  const tired = queue.take(asker, { ms: 1 });
  const gone = new AbortController();
  const left = queue.take(asker, { signal: gone.signal });
  const third = queue.take(asker).then((end) => {
    order.push("third");
    return end;
  });
  await expect(tired).rejects.toThrow("did not come in time");
  gone.abort(new Error("gone"));
  await expect(left).rejects.toThrow("gone");
  expect(order).toEqual([]);
  first();
  first();
  (await second)();
  await third;
  expect(order).toEqual(["second", "third"]);
});

test("an organization has one turn of its own, and another one does not wait for it", async () => {
  const queues = new OrganizationQueues();
  const order: string[] = [];
  const take = async (orgId: string, callerId: string) => {
    const end = await queues.take({ orgId, callerId });
    order.push(orgId + callerId);
    return end;
  };
  const first = await take("a", "1");
  const waiting = [take("a", "1"), take("a", "1"), take("a", "2")];
  (await take("b", "3"))();
  expect(order).toEqual(["a1", "b3"]);
  first();
  for (const next of waiting) void next.then((end) => end());
  await Promise.all(waiting);
  // By caller, and then as they came.
  expect(order).toEqual(["a1", "b3", "a1", "a2", "a1"]);
  (await take("a", "1"))();
});

const STRACE = Bun.which("strace");

describe("once it reads, it opens no path and no socket", () => {
  const folder = mkdtempSync(join(tmpdir(), "captable-strace-"));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  /** What the runtime's collector looks at: how much memory the process has. */
  const OWN_MEMORY = "/proc/self/statm";

  /** What a process opens, before it begins to read and after. */
  async function opened(program: readonly string[], request: FileRequest, bytes: Uint8Array) {
    const log = join(folder, "log");
    const traced = [STRACE ?? "strace", "-f", "-o", log, "-e", "trace=%file,%network,read,pread64", ...program];
    const { error } = await reading(traced, request, [{ name: "x", bytes: Buffer.from(bytes) }]);
    expect(error).toBeNull();
    const calls = readFileSync(log, "utf8").split("\n");
    const begun = calls.findIndex((each) => /\b(read|pread64)\(0,/.test(each));
    expect(begun).toBeGreaterThan(0);
    const reaching = /\b(open|openat|openat2|creat|socket|connect|bind|unlink|mkdir|rename|execve)\(/;
    const isOpening = (each: string) => reaching.test(each) && !each.includes(`"${OWN_MEMORY}"`);
    return { before: calls.slice(0, begun).filter(isOpening), after: calls.slice(begun).filter(isOpening) };
  }

  const packed = zipSync({ "ocf_manifest.json": Buffer.from('{"file_type":"OCF_MANIFEST_FILE"}') });
  const requests: readonly (readonly [string, FileRequest, Uint8Array])[] = [
    ["of a spreadsheet", REQUEST, Buffer.from(`a,b\n${"1,2\n".repeat(20_000)}`)],
    ["of a package's objects", { ...REQUEST, form: "zip", gives: "objects" }, packed],
    ["of what is wrong with a package", { ...REQUEST, form: "zip", gives: "findings" }, packed],
  ];

  test.skipIf(STRACE === null).each(requests)("%s", async (_what, request, bytes) => {
    expect((await opened(PROGRAM, request, bytes)).after).toEqual([]);
  });

  test.skipIf(STRACE === null)("and before, it loads what reads such a file and no more", async () => {
    const loads = async (gives: FileRequest["gives"]) => {
      const { before } = await opened(SOURCES, { ...REQUEST, form: "zip", gives }, packed);
      const names = ["fflate", "csv-parse", "kysely", "@sinclair/typebox"];
      return names.filter((name) => before.some((each) => each.includes(`/node_modules/${name}/`)));
    };
    expect(await loads("objects")).toEqual(["fflate"]);
    // Checks need more, which would be seen.
    expect(await loads("findings")).toContain("kysely");
  });

  test.skipIf(STRACE === null)("and one that did would be seen", async () => {
    const curious = [process.execPath, "-e", CURIOUS];
    expect((await opened(curious, REQUEST, FILE[0]?.bytes ?? new Uint8Array())).after).not.toEqual([]);
  });
});

const CURIOUS = `const fs = require("node:fs");
fs.readSync(0, new Uint8Array(10), 0, 10, null);
fs.openSync("/etc/hostname", "r");
console.log('{"end":{"objects":0}}');`;
