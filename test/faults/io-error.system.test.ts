// F6: a disk that fails. After an I/O error it is unknown what is on disk, so no write is acknowledged any more, and
// the process ends with status 1 after one clear line, for a supervisor to restart it; the next start finds all that
// was acknowledged.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { proved } from "../kit/proof.ts";
import { RELEASE } from "../kit/release.ts";
import { expectSound, makeTemplate, type Template, type Written } from "./support/company.ts";
import {
  type CallFault,
  canTrace,
  copyOf,
  countCalls,
  eachOf,
  failing,
  type Running,
  serveUnder,
} from "./support/serve.ts";

const POINTS = 40;
let template: Template;
let count = 0;

beforeAll(async () => {
  template = await makeTemplate();
}, 300_000);
afterAll(() => {
  template.remove();
  const what = "I/O errors in fsync, pwrite64 and pread64, call by call";
  proved({ fault: "F6", what, count, seed: "-", result: "no write acknowledged after it, 0 lost" });
});

const READS = [
  "/securities?limit=100",
  "/transactions?limit=100",
  "/audit-log?limit=100",
  "/stakeholders",
  "/documents",
];

/** Writes and reads until the server is gone or `rounds` are done; every answer must be a success or a `503`. */
async function use(running: Running, rounds: number): Promise<Written> {
  const written: Written = { acknowledged: [], refused: [] };
  for (let round = 0; round < rounds; round++) {
    const name = `w-${round}`;
    const made = await running.call("POST", "/stock-legends", { name, text: "x" }, name);
    const read = await running.call("GET", READS[round % READS.length] ?? "/");
    if (made?.status === 201) written.acknowledged.push(name);
    for (const answer of [made, read]) {
      if (answer !== null) expect([200, 201, 503]).toContain(answer.status);
    }
    if (made === null) break;
  }
  return written;
}

/** What is said of where it serves and how to get in. */
const SAID_AT_START = / serving http| ADMIN key | described at http/;

/** One fault: the server ends because of it, and what it had acknowledged is there. */
async function survive(fault: CallFault, ...more: CallFault[]): Promise<void> {
  const { dataDir, remove } = copyOf(template.dataDir);
  const running = await serveUnder(failing(dataDir, fault, ...more), dataDir, template.keys[0]);
  const written = running.url === null ? { acknowledged: [], refused: [] } : await use(running, 60);
  const isOver = await Promise.race([running.ended.then(() => true), Bun.sleep(45_000).then(() => false)]);
  const { status, stderr } = isOver ? await running.ended : await running.end();
  const lines = stderr.split("\n").filter((line) => line !== "" && !SAID_AT_START.test(line));
  expect({ ...fault, isOver, status, stderr: lines.length }).toEqual({ ...fault, isOver: true, status: 1, stderr: 1 });
  expect(lines[0]).toMatch(/^captable: .*(cannot be relied on|cannot be read|I\/O error)/);
  await expectSound(dataDir, template.keys[0], written);
  remove();
  count++;
}

/** Which calls fail: `first` to `first` + 39, every second one for good; in a quick run a few of them. */
function points(first: number, ...quick: number[]): string[] {
  const all = Array.from({ length: POINTS }, (_, index) => `${first + index}${index % 2 === 0 ? "" : "+"}`);
  return RELEASE ? all : quick.map((index) => all[index] ?? "1");
}

test.skipIf(!canTrace).each([
  ["fsync,fdatasync", [2, 17]],
  ["pwrite64", [6, 31]],
])(
  "in %s ends the process, and loses nothing",
  async (calls, quick) => {
    await eachOf(points(1, ...quick), (when) => survive({ calls, fault: "error=EIO", when }));
  },
  900_000,
);

test.skipIf(!canTrace)(
  "in pread64, at the start and while serving",
  async () => {
    const calls = "pread64";
    const { dataDir, remove } = copyOf(template.dataDir);
    const atStart = await countCalls(dataDir, calls, template.keys[0]);
    remove();
    expect(atStart).toBeGreaterThan(POINTS / 2);
    // SQLite takes a page that cannot be read for damage; the program reads the file itself, which must fail as well.
    const unreadable = { calls: "read", fault: "error=EIO", when: "1+" };
    const starting = points(1, 3).slice(0, POINTS / 2);
    await eachOf(starting, (when) =>
      survive({ calls, fault: "error=EIO", when: `${Number.parseInt(when, 10)}+` }, unreadable),
    );
    const serving = points(atStart + 1, 4).slice(0, POINTS / 2);
    await eachOf(serving, (when) => survive({ calls, fault: "error=EIO", when }));
  },
  900_000,
);
