// What the README tells an operator to type, typed as it is printed there, one block after the other, in a bare folder
// with nothing but the program on the PATH: so that it cannot rot.
import { afterAll, expect, test } from "bun:test";
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { zipSync } from "fflate";
import { PROGRAM } from "../support/program.ts";
import { settingsTable } from "../support/settings-table.ts";

const ROOT = join(import.meta.dir, "../..");
const README = readFileSync(join(ROOT, "README.md"), "utf8");
const PACKAGE = join(ROOT, "test/fixtures/ocf/small");
const SUMMARY = /^curl -s \S+\/cap-table\/summary/;

const folder = mkdtempSync(join(tmpdir(), "captable-readme-"));
const port = (await isFree(8080)) ? 8080 : await freePort();
const environment = prepareFolder();
let server: Bun.Subprocess | null = null;
afterAll(() => server?.kill());

/** The blocks for a shell that use the program; those that install and build it are the build's own test. */
const blocks = [...README.matchAll(/^```sh\n([\s\S]*?)^```$/gm)]
  .map(([, text = ""]) => text.trim())
  .filter((text) => !text.includes("npx -y bun"));

/** The program, a package to import, and the port, should somebody else have taken the usual one. */
function prepareFolder(): Record<string, string> {
  const bin = join(folder, "bin");
  mkdirSync(bin);
  const wrapper = join(bin, "captable");
  writeFileSync(wrapper, `#!/bin/sh\nexec ${PROGRAM.map((word) => `'${word}'`).join(" ")} "$@"\n`);
  chmodSync(wrapper, 0o755);
  const files = readdirSync(PACKAGE).map((name) => [name, readFileSync(join(PACKAGE, name))] as const);
  const work = join(folder, "work");
  mkdirSync(work);
  writeFileSync(join(work, "package.ocf.zip"), zipSync(Object.fromEntries(files)));
  const own = Object.entries(process.env).filter(([name]) => !name.startsWith("CAPTABLE_"));
  return { ...Object.fromEntries(own), PATH: `${bin}:${process.env.PATH}`, CAPTABLE_PORT: String(port) } as Record<
    string,
    string
  >;
}

const cwd = join(folder, "work");

async function type(block: string): Promise<string> {
  const text = block.replaceAll("127.0.0.1:8080", `127.0.0.1:${port}`);
  const child = Bun.spawn(["bash", "-euo", "pipefail", "-c", text], {
    cwd,
    env: environment,
    stdout: "pipe",
    stderr: "pipe",
  });
  const [stdout, stderr] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()]);
  expect([block, await child.exited, stderr]).toEqual([block, 0, stderr]);
  return stdout;
}

async function startServer(): Promise<void> {
  server = Bun.spawn(["captable", "serve"], { cwd, env: environment, stdout: "ignore", stderr: "ignore" });
  for (let tries = 0; tries < 300; tries++) {
    const answer = await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => null);
    if (answer?.ok) return;
    await Bun.sleep(50);
  }
  throw new Error("the server did not start");
}

async function stopServer(): Promise<void> {
  server?.kill("SIGTERM");
  expect(await server?.exited).toBe(0);
  server = null;
}

test("every command of the README works as it is printed, from the first start to a restore", async () => {
  const summaries: string[] = [];
  const done: string[] = [];
  const summary = blocks.flatMap((block) => block.split("\n")).find((line) => SUMMARY.test(line)) ?? "";
  for (const block of blocks) {
    if (block === "captable serve") await startServer();
    else {
      if (block.startsWith("captable restore")) {
        await stopServer();
        rmSync(join(cwd, "data"), { recursive: true });
      }
      const shown = await type(block);
      if (SUMMARY.test(block.split("\n").at(-1) ?? "")) summaries.push(shown);
      if (block.startsWith("captable cap-table")) {
        expect(shown).toMatch(/^Total .*\d/m);
        summaries.push(await type(summary));
      }
      if (block.includes("captable verify")) expect(shown).toContain("No difference.");
    }
    done.push(...block.split("\n").map((line) => line.split(" ").slice(0, 2).join(" ")));
  }
  for (const command of ["serve", "org", "keys", "ocf", "verify", "backup", "restore"]) {
    expect(done).toContain(`captable ${command}`);
  }
  expect(summaries).toHaveLength(2);
  const [before, imported] = summaries.map(readSummary);
  expect(imported).not.toEqual(before);
  await startServer();
  expect(readSummary(await type(summary))).toEqual(imported ?? {});
  await stopServer();
}, 60_000);

/** The summary is the last line of what was shown. */
function readSummary(shown: string): object {
  const { data } = JSON.parse(shown.split("\n").at(-1) ?? "");
  expect(data).toHaveProperty("totalIssued");
  return data;
}

test("the settings of the README are those of the program", () => {
  expect(README).toContain(`${settingsTable()}\n\nExit statuses`);
});

async function isFree(wanted: number): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const probe = createServer().once("error", () => resolve(false));
  probe.listen(wanted, "127.0.0.1", () => probe.close(() => resolve(true)));
  return await promise;
}

async function freePort(): Promise<number> {
  const { promise, resolve } = Promise.withResolvers<number>();
  const probe = createServer();
  probe.listen(0, "127.0.0.1", () => {
    const address = probe.address();
    probe.close(() => resolve(typeof address === "object" && address !== null ? address.port : 0));
  });
  return await promise;
}
