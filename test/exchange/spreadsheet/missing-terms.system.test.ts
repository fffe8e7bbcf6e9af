// Vesting schedules that are not understood: reported by the API and the command, completed by hand, recorded, and then
// the file comes in.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runCommand } from "../../kit/command.ts";
import { startTestServer, type TestServer } from "../../kit/service.ts";
import { askImport, ended } from "./asking.ts";
import { mappingOf } from "./mapped.ts";

setDefaultTimeout(120_000);

const mapping = mappingOf();
const GRANTS =
  "No,Who,When,Issued,Left,Terms\n" +
  "ES-1,Ada,2025-11-22,48,48,per board\nES-2,Ada,2025-11-22,48,-,per board\nES-3,Ben,2025-11-22,48,0,\n";
const HEADER = "Terms*,Months*,Cliff months*,Frequency*,Allocation,Description";

describe("over HTTP", () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer();
  });
  afterAll(() => server.stop());

  test("terms.csv has a row for each, and imported it makes the terms", async () => {
    const orgId = await server.newOrganization("Terms, Inc.");
    const import_ = async (text: string, name: string, more = {}) => {
      const { id } = await askImport(server, Buffer.from(text), { orgId, name, more });
      return await ended(server, id, orgId);
    };
    const commit = async (id: string) => {
      await server.api("POST", `/imports/${id}/commit`, undefined, { orgId });
      expect((await ended(server, id, orgId)).state).toBe("COMMITTED");
    };
    const first = await import_(GRANTS, "Grants.csv", { format: "MAPPING", mapping });
    expect([first.problems.map(({ code }: { code: string }) => code), first.closed, first.counts.options]).toEqual([
      ["schedule-not-understood"],
      2,
      { create: 0, unchanged: 0, differs: 0, leftOut: 2 },
    ]);
    const terms = await server.api("GET", `/imports/${first.id}/terms.csv`, undefined, { orgId });
    expect([terms.status, terms.headers.get("content-disposition")]).toEqual([
      200,
      expect.stringContaining("Vesting terms.csv"),
    ]);
    expect(terms.text.replace("\uFEFF", "")).toBe(`${HEADER}\r\nper board,,,,,Needs a look\r\n`);
    const unfinished = await import_(terms.text, "Vesting terms.csv");
    expect(unfinished.problems.map(({ code }: { code: string }) => code)).toContain("missing-value");
    const finished = await import_(terms.text.replace("per board,,,", "per board,12,0,Monthly"), "Vesting terms.csv");
    await commit(finished.id);
    const second = await import_(GRANTS, "Grants.csv", { format: "MAPPING", mapping });
    expect(second.problems).toEqual([]);
    await commit(second.id);
    const { text } = await server.api("GET", `/imports/${second.id}/preview.csv`, undefined, { orgId });
    expect(text).toContain("Closed: 2");
    const vested = await import_(GRANTS, "Grants.csv", {
      ...{ format: "MAPPING", mapping },
      options: { vesting: "AS_VESTED" },
    });
    // The terms are recorded by now: nothing is to be taken for vested.
    expect([vested.counts.options.unchanged, vested.warningCount]).toEqual([1, 0]);
  });
});

const folder = mkdtempSync(join(tmpdir(), "captable-missing-terms-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test("by the command: Closed, --terms and vesting=AS_VESTED", async () => {
  const at = (name: string) => join(folder, name);
  await Bun.write(at("Grants.csv"), GRANTS);
  await Bun.write(at("mine.json"), JSON.stringify(mapping));
  const data = ["--data-dir", at("data")];
  expect((await runCommand(["org", "create", "--name", "Terms, Inc.", ...data])).status).toBe(0);
  const file = ["import", "spreadsheet", at("Grants.csv"), "--mapping", at("mine.json"), ...data];
  const refused = await runCommand([...file, "--terms", at("terms.csv"), "--commit"]);
  expect([refused.status, refused.stdout]).toEqual([1, expect.stringContaining("\nClosed: 2\n")]);
  expect((await Bun.file(at("terms.csv")).text()).replace("\uFEFF", "")).toBe(
    `${HEADER}\r\nper board,,,,,Needs a look\r\n`,
  );
  const vested = await runCommand([...file, "--option", "vesting=AS_VESTED", "--commit"]);
  expect([vested.status, vested.stdout]).toEqual([0, expect.stringContaining("48 shares count as vested")]);
});
