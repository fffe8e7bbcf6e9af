// `captable ocf export` in a process of its own: the file, the exit statuses, and what it prints.
import { expect, test } from "bun:test";
import { existsSync, readFileSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { unzipSync } from "fflate";
import { runCommand } from "../../../kit/command.ts";
import { newDataDir } from "../../../kit/program.ts";

const SMALL = join(import.meta.dir, "../../../fixtures/ocf/small");

const itemsOf = (text: string | Uint8Array) =>
  JSON.parse(typeof text === "string" ? text : new TextDecoder().decode(text)).items;

test("an imported package is exported whole, to a file for its owner alone", async () => {
  const dataDir = newDataDir();
  const at = ["--data-dir", dataDir];
  const out = join(dirname(dataDir), "out.ocf.zip");
  expect((await runCommand(["org", "create", "--name", "Small", ...at])).status).toBe(0);
  expect((await runCommand(["ocf", "import", SMALL, ...at])).status).toBe(0);

  const exported = await runCommand(["ocf", "export", "--out", out, "--json", ...at]);
  expect(exported.status).toBe(0);
  expect(JSON.parse(exported.stdout)).toMatchObject({ file: out, bytes: statSync(out).size });
  expect(statSync(out).mode & 0o777).toBe(0o600);
  const files = unzipSync(new Uint8Array(readFileSync(out)));
  for (const name of ["stakeholders.json", "transactions.json"]) {
    expect(itemsOf(files[name] ?? new Uint8Array())).toEqual(itemsOf(readFileSync(join(SMALL, name), "utf8")));
  }

  const unknown = await runCommand(["ocf", "export", "--out", `${out}.2`, "--include", "nothing", ...at]);
  expect([unknown.status, unknown.stdout, existsSync(`${out}.2`)]).toEqual([2, "", false]);
  expect((await runCommand(["ocf", "export", ...at])).status).toBe(2);
  expect((await runCommand(["ocf", "export", "--out", join(dataDir, "no/such/x.zip"), ...at])).status).toBe(2);
  expect((await runCommand(["ocf", "export", "--org", "unknown", "--out", out, ...at])).status).toBe(3);
}, 60_000);
