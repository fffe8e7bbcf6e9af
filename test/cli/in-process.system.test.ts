// The control of what other tests run inside their own process: a command says and does there what the program does.
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { runCommand } from "../kit/command.ts";
import { newDataDir, runProgram } from "../kit/program.ts";

setDefaultTimeout(60_000);

const PACKAGE = join(import.meta.dir, "../fixtures/ocf/small");
const dataDir = newDataDir();
const nowhere = newDataDir();

beforeAll(async () => {
  const made = await runCommand(["org", "create", "--name", "Acme", "--data-dir", dataDir]);
  expect(made).toEqual({
    status: 0,
    stdout: expect.stringContaining("Acme"),
    stderr: expect.stringMatching(/^captable:/),
  });
});
afterAll(() => rmSync(dirname(dataDir), { recursive: true, force: true }));

test.each<readonly [status: number, command: readonly string[]]>([
  [0, ["org", "list", "--data-dir", dataDir]],
  [0, ["org", "list", "--json", "--data-dir", dataDir]],
  [0, ["verify", "--data-dir", dataDir]],
  [0, ["cap-table", "--data-dir", dataDir]],
  [0, ["health", "--data-dir", dataDir]],
  [0, ["ocf", "validate", PACKAGE]],
  [0, ["keys", "list", "--help"]],
  [1, ["ocf", "validate", import.meta.path]],
  [2, ["frobnicate"]],
  [2, ["keys", "create", "--name", "x", "--data-dir", dataDir]],
  [2, ["org", "update", "Acme", "--set", "colour=red", "--data-dir", dataDir]],
  [3, ["org", "show", "unknown", "--data-dir", dataDir]],
  [3, ["verify", "--data-dir", nowhere]],
])("exit status %i and the same words: %j", async (status, command) => {
  const inside = await runCommand(command);
  expect(inside).toEqual(await runProgram(command));
  expect(inside.status).toBe(status);
});
