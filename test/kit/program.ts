// The program in a process of its own, for what only a process can show: signals, crashes, exit codes, two at once.
import { existsSync, mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { FOR_TESTS } from "../../.ci/for-tests.ts";
import { leavesProcess, RELEASE } from "./release.ts";

/** How to start the program from its sources, whose modules can be seen. */
export const SOURCES: readonly string[] = [process.execPath, join(import.meta.dir, "../../cli/main.ts")];
/** A built program to try, or this checkout's own as `bun run test` built it. */
const BUILT = process.env.CAPTABLE_BINARY ?? process.env.TEST_PROGRAM;

/** How to start the program. */
export const PROGRAM: readonly string[] = BUILT === undefined ? SOURCES : [BUILT];

/** Whether it is this checkout's, so that a test can change its sources by a module that is loaded before them. */
export const canChange = process.env.CAPTABLE_BINARY === undefined;

/** The program from its sources, with a module of `test/faults/support` loaded before it that makes it worse. */
export function worsened(module: string): readonly string[] {
  const [bun = "", ...sources] = SOURCES;
  return [bun, "--preload", join(import.meta.dir, "../faults/support", module), ...sources];
}

/** The next version of the program: it has one migration more. */
export const NEXT_VERSION: readonly string[] = worsened("next-migration.ts");

/** Variables that are the tests' own: they would be reported as unknown settings, or change what a program takes. */
const OWN: readonly string[] = [
  ...["BINARY", "BEHAVIOUR", "RELEASE", "SECOND", "SEED", "SIM_TRACE", "SOAK_MINUTES", "TEST_BROWSER"].map(
    (name) => `CAPTABLE_${name}`,
  ),
  ...Object.keys(FOR_TESTS),
];

const isQuick = !RELEASE && canChange;
/** Memory in pages of 2 MB where the machine has them: a third of a start is touching small ones, and a quarter more is taken. */
export const LARGE_PAGES = { MIMALLOC_ALLOW_THP: "1" };
/** For a command, which ends before code that was compiled for it is worth that; a release run runs it as it ships. */
export const BRIEFLY: Readonly<Record<string, string>> = isQuick ? { ...LARGE_PAGES, BUN_JSC_useJIT: "0" } : {};
/** The same for a server, which is asked little: it compiles, and does not compile again for the last bit of speed. */
export const A_WHILE: Readonly<Record<string, string>> = isQuick ? { ...LARGE_PAGES, BUN_JSC_useDFGJIT: "0" } : {};
/** For a server whose speed and memory are looked at, also in a quick run. */
export const AS_IT_SHIPS: Readonly<Record<string, string>> = { MIMALLOC_ALLOW_THP: "0", BUN_JSC_useDFGJIT: "1" };

/** The environment for a program: that of the tests without what is their own. */
export function programEnvironment(more: Readonly<Record<string, string>> = {}): Record<string, string | undefined> {
  const given = Object.entries(process.env).filter(([name]) => !OWN.includes(name));
  return { ...Object.fromEntries(given), ...more };
}

/** A folder that does not exist yet, inside a new temporary one. */
export function newDataDir(): string {
  return join(mkdtempSync(join(tmpdir(), "captable-program-")), "data");
}

/** What a command left behind. */
export interface Ended {
  readonly status: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a command to its end. */
export async function runProgram(
  args: readonly string[],
  environment: Record<string, string> = {},
  program: readonly string[] = PROGRAM,
): Promise<Ended> {
  leavesProcess("the program");
  const child = Bun.spawn([...program, ...args], {
    env: programEnvironment({ ...BRIEFLY, ...environment }),
    stdout: "pipe",
    stderr: "pipe",
  });
  const [stdout, stderr] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()]);
  return { status: await child.exited, stdout, stderr };
}

/** A served data directory. */
export interface Served {
  readonly url: string;
  readonly key: string;
  readonly pid: number;
  /** What it said on standard error until it served. */
  readonly said: string;
  /** Ends the process with a signal, by default SIGTERM, and waits for its exit status. */
  end(signal?: "SIGTERM" | "SIGINT" | "SIGKILL"): Promise<number>;
}

/** Starts `serve` and waits until it answers. */
export async function serveProgram(
  dataDir: string,
  environment: Record<string, string> = {},
  { more = [], program = PROGRAM }: { readonly more?: readonly string[]; readonly program?: readonly string[] } = {},
): Promise<Served> {
  leavesProcess("the program");
  const child = Bun.spawn([...program, "serve", "--data-dir", dataDir, "--port", "0", ...more], {
    env: programEnvironment({ ...A_WHILE, CAPTABLE_RATE_LIMIT: "0", CAPTABLE_LOG: "off", ...environment }),
    stdout: "ignore",
    stderr: "pipe",
  });
  let said = "";
  for await (const text of child.stderr.pipeThrough(new TextDecoderStream())) {
    said += text;
    if (/serving http\S+/.test(said)) break;
  }
  const url = /serving (http:\/\/\S+?),/.exec(said)?.[1];
  if (url === undefined) throw new Error(`serve ended: ${said}`);
  const keyFile = join(dataDir, "admin.key");
  return {
    url,
    key: existsSync(keyFile) ? readFileSync(keyFile, "utf8").trim() : "",
    pid: child.pid,
    said,
    async end(signal = "SIGTERM") {
      child.kill(signal);
      return await child.exited;
    },
  };
}
