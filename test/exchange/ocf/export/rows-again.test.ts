// A row without a number is found again where its security went through OCF, into another organization and back out.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { importPackage } from "../../../../src/exchange/ocf/import/run.ts";
import { itemsOf } from "../../../../src/exchange/ocf/package.ts";
import { readMapping } from "../../../../src/exchange/spreadsheet/mapping/mapping.ts";
import { importSheets } from "../../../../src/exchange/spreadsheet/record/import.ts";
import { commandLineCall } from "../../../../src/kernel/call.ts";
import { systemRuntime } from "../../../../src/kernel/runtime.ts";
import { startTestServer, type TestServer } from "../../../kit/service.ts";
import { OPTIONS, sheets } from "../../spreadsheet/kit.ts";
import { readPackage } from "../reading.ts";
import { callerOf, expectNoProblems, exportOf, importInto, ofType } from "./support.ts";

setDefaultTimeout(120_000);

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

const FILL = ["Fill in"];
const HEAD = ["Certificate ID", "Name", "Email", "Holder Type", "Share Class", "Quantity", "Price Per Share"];
const STOCK = (name: string, email: string, quantity: string) =>
  ["", name, email, "Individual", "Common", quantity, "0.5", "2/3/2024"] as const;
const AWARDS = ["Award ID", "Name", "Equity Plan Name", "Type", "Grant Date", "Quantity", "Exercise Price"];
const CARTA = sheets({
  "Common Certificates": [
    FILL,
    [...HEAD, "Issue Date"],
    STOCK("Ada", "ada@example.com", "100"),
    STOCK("Bob", "", "10"),
    STOCK("Bob", "", "10"),
  ],
  "Equity Plan Awards": [FILL, AWARDS, ["", "Bob", "2020 Plan", "ISO", "1/5/2024", "100", "0.5"]],
});

type File = typeof CARTA;

/** Imports the file; what it does with each security. */
async function rowsInto(orgId: string, file: File, mapping: ReturnType<typeof readMapping> | null = null) {
  const report = await server.app.writer.submit((tx) =>
    importSheets(tx, commandLineCall(systemRuntime, orgId), file, { ...OPTIONS, mapping }),
  );
  expect(report.problems).toEqual([]);
  const { actions, warnings } = report;
  const told = warnings.filter(({ code }) => code === "differs" || code === "like-existing").map(({ cell }) => cell);
  return [...actions.filter(({ row: { to } }) => TYPES.has(to)).map(({ what }) => what), ...told];
}

const TYPES = new Set(["stock", "options"]);
const ALL = (what: string) => Array.from({ length: 4 }, () => what);

const find = async (orgId: string, path: string, has: string) => {
  const { items } = (await server.api("GET", path, undefined, { orgId })).json;
  return items.find((each: object) => JSON.stringify(each).includes(has));
};

/** Another organization with all that an export holds. */
async function copyOf(orgId: string) {
  const exported = await exportOf(server, orgId);
  await expectNoProblems(exported);
  const copy = await server.newOrganization("Copy, Inc.");
  const report = await importInto(server, copy, exported.path);
  return { copy, report, exported };
}

describe("rows without a number, after OCF", () => {
  test("are found again in another organization, and in one that has it of that one", async () => {
    const orgId = await server.newOrganization("Again, Inc.");
    expect(await rowsInto(orgId, CARTA)).toEqual(ALL("create"));
    const { copy, exported } = await copyOf(orgId);
    expect(await rowsInto(copy, CARTA)).toEqual(ALL("unchanged"));
    const told = ofType(exported, "TX_STOCK_ISSUANCE").flatMap(({ comments = [] }) => comments as string[]);
    expect(told.filter((text) => text.startsWith('captable:{"importNumbered"')).length).toBe(3);
    // The comment is no text of the security's own.
    expect((await find(copy, "/securities", "CS-1")).comments).toBeNull();
    const { copy: third } = await copyOf(copy);
    expect(await rowsInto(third, CARTA)).toEqual(ALL("unchanged"));
  });

  test("are found again after their holders' new names on either side, and after what was done with them", async () => {
    const orgId = await server.newOrganization("Again, Inc.");
    await rowsInto(orgId, CARTA);
    const call = callerOf(server, orgId);
    const { id } = await find(orgId, "/stakeholders", "Bob");
    await call("PATCH", `/stakeholders/${id}`, { name: { legalName: "Robert Miller" } });
    const part = { quantity: "4", effectiveDate: "2025-01-01", cancellationReason: "FORFEITURE" };
    const { id: securityId } = await find(orgId, "/securities", "CS-2");
    await call("POST", "/transactions/cancel", { securityId, ...part });
    const { copy } = await copyOf(orgId);
    const then = callerOf(server, copy);
    const ada = await find(copy, "/stakeholders", "Ada");
    const changed = { name: { legalName: "Ada King" }, email: "king@example.com" };
    await then("PATCH", `/stakeholders/${ada.id}`, changed);
    // A comment of the security's own, and a balance that is left over in OCF, besides ours.
    const { id: stockId } = await find(copy, "/securities", "CS-3");
    await then("PATCH", `/securities/${stockId}`, { comments: "Lost in the post" });
    await then("POST", "/transactions/cancel", { securityId: stockId, ...part });
    expect((await rowsInto(copy, CARTA)).slice(0, 4)).toEqual(["unchanged", "differs", "unchanged", "unchanged"]);
    const { copy: third } = await copyOf(copy);
    expect((await rowsInto(third, CARTA)).filter((what) => what === "create")).toEqual([]);
  });

  test("are compared by what was issued of what is left", async () => {
    const columns = { No: "certificate", Who: "holder", When: "issueDate", Issued: "quantity", Left: "outstanding" };
    const table = { sheet: ["*"], headerHas: ["Who"], to: "stock", columns, constants: { class: "Common" } };
    const tables = [{ ...table, fallback: { certificate: "NEXT" } }];
    const mapping = readMapping(JSON.stringify({ captableMapping: 1, name: "Mine", mode: "OUTSTANDING", tables }));
    const file = sheets({
      Any: [
        ["Who", "When", "Issued", "Left"],
        ["Ada", "2024-01-02", "10", "8"],
      ],
    });
    const orgId = await server.newOrganization("Left, Inc.");
    expect(await rowsInto(orgId, file, mapping)).toEqual(["create"]);
    const { copy } = await copyOf(orgId);
    expect(await rowsInto(copy, file, mapping)).toEqual(["unchanged"]);
  });

  test("would come in twice if the package did not name them, or named others", async () => {
    const orgId = await server.newOrganization("Again, Inc.");
    await rowsInto(orgId, CARTA);
    const { path } = await exportOf(server, orgId);
    const faults = [
      (comment: string) => (comment.startsWith("captable:") ? null : comment),
      (comment: string) => comment.replaceAll(/[0-9a-f]{64}/g, (key) => key.split("").reverse().join("")),
      (comment: string) => comment.replaceAll(/[0-9a-f]{64}/g, "7"),
    ];
    for (const falsify of faults) {
      const wrong = await server.newOrganization("Wrong, Inc.");
      const read = await readPackage(path);
      for (const { value } of itemsOf(read)) {
        const object = value as { comments?: (string | null)[] };
        if (Array.isArray(object.comments))
          object.comments = object.comments.flatMap((each) => falsify(each ?? "") ?? []);
      }
      const call = () => commandLineCall(systemRuntime, wrong);
      await importPackage({ call, writer: server.app.writer }, read);
      expect((await rowsInto(wrong, CARTA)).filter((what) => what === "create").length).toBe(4);
    }
  });
});
