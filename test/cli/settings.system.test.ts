// Settings as an operator gets them wrong or leaves them out: a misspelt variable is told, and the log suits its
// reader.
import { afterAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SETTINGS } from "../../src/server/config.ts";
import { unknownVariables } from "../../src/server/unknown-variables.ts";
import { PROGRAM, programEnvironment, runProgram } from "../kit/program.ts";

setDefaultTimeout(120_000);

const base = mkdtempSync(join(tmpdir(), "captable-settings-"));
afterAll(() => rmSync(base, { recursive: true, force: true }));

describe("a variable that is no setting", () => {
  test.each([
    ["CAPTABLE_PROT", "CAPTABLE_PORT"],
    ["CAPTABLE_DATADIR", "CAPTABLE_DATA_DIR"],
    ["CAPTABLE_BACKUP_DIRECTORY", "CAPTABLE_BACKUP_DIR"],
    ["CAPTABLE_data_dir", "CAPTABLE_DATA_DIR"],
    ["CAPTABLE_PUBLIC_URI", "CAPTABLE_PUBLIC_URL"],
  ])("%s is nearest to %s", (variable, nearest) => {
    expect(unknownVariables({ [variable]: "x" })).toEqual([{ variable, nearest }]);
  });

  test("is not a setting, nor a variable of other programs", () => {
    const known = Object.values(SETTINGS).map(({ variable }) => [variable, "x"]);
    expect(unknownVariables({ ...Object.fromEntries(known), PATH: "x", MY_CAPTABLE_PORT: "x" })).toEqual([]);
  });

  test("is told on standard error in one line, without its value; the command does its work", async () => {
    const ended = await runProgram(["version"], { CAPTABLE_PROT: "secret" });
    expect([ended.status, ended.stdout.startsWith("captable ")]).toEqual([0, true]);
    expect(ended.stderr).toBe(
      "captable: WARNING: CAPTABLE_PROT is no setting and has no effect; the nearest one is CAPTABLE_PORT\n",
    );
    expect((await runProgram(["version"])).stderr).toBe("");
  });
});

describe("the log", () => {
  const JSON_LINE = /^\{"time":.*"route":"\/healthz".*\}$/m;
  const PRETTY_LINE = /^\S+Z 200 GET \/healthz [\d.]+ ms\r?$/m;
  /** Serves, asks once, stops, and shows all that was printed; under `before`, if there is something. */
  const SCRIPT = `"$@" & child=$!
    for try in $(seq 600); do curl -sf "http://127.0.0.1:$CAPTABLE_PORT/healthz" > /dev/null && break; sleep 0.1; done
    kill $child; wait $child`;

  async function logOf(isTerminal: boolean, environment: Record<string, string> = {}): Promise<string> {
    const folder = mkdtempSync(join(base, "served-"));
    const command = [...PROGRAM, "serve", "--data-dir", join(folder, "data")];
    const line = ["bash", "-c", SCRIPT, "serve", ...command]
      .map((word) => `'${word.replaceAll("'", "'\\''")}'`)
      .join(" ");
    const words = isTerminal ? ["script", "-qec", line, "/dev/null"] : ["bash", "-c", line];
    const env = programEnvironment({ CAPTABLE_PORT: String(freePort()), ...environment });
    const child = Bun.spawn(words, { env, stdin: "ignore", stdout: "pipe", stderr: "ignore" });
    const shown = await new Response(child.stdout).text();
    await child.exited;
    return shown;
  }

  test("is JSON where it goes elsewhere than to a terminal", async () => {
    expect(await logOf(false)).toMatch(JSON_LINE);
  });

  test.skipIf(Bun.which("script") === null)(
    "is for people on a terminal, unless the setting says otherwise",
    async () => {
      const shown = await logOf(true);
      expect(shown).toMatch(PRETTY_LINE);
      expect(shown).not.toMatch(JSON_LINE);
      expect(await logOf(true, { CAPTABLE_LOG: "json" })).toContain('"route":"/healthz"');
    },
  );
});

function freePort(): number {
  const server = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: () => new Response() });
  const { port } = server;
  void server.stop(true);
  return port ?? 0;
}
