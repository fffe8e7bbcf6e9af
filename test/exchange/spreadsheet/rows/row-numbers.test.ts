// Rows to which a file gives no number: an import of the same file again finds what was made of each, and adds nothing.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { type Mapping, readMapping } from "../../../../src/exchange/spreadsheet/mapping/mapping.ts";
import { importSheets } from "../../../../src/exchange/spreadsheet/record/import.ts";
import type { Call } from "../../../../src/kernel/call.ts";
import type { WriteRoute } from "../../../../src/resources/route.ts";
import { securityRoutes } from "../../../../src/resources/securities/routes.ts";
import { stakeholderRoutes } from "../../../../src/resources/stakeholders/routes.ts";
import { transactionRoutes } from "../../../../src/resources/transactions/routes.ts";
import type { Tx } from "../../../../src/storage/database/sql.ts";
import { openPlace, type Place } from "../../../property/place.ts";
import { inOrganization, OPTIONS, sheets } from "../kit.ts";

setDefaultTimeout(60_000);

let place: Place;
beforeAll(async () => {
  place = await openPlace();
});
afterAll(() => place.close());

type Row = readonly string[];
const HEAD = ["Certificate ID", "Name", "Holder Type", "Share Class", "Quantity", "Price Per Share", "Issue Date"];
const BOB: Row = ["", "Bob", "Individual", "Common", "10", "0.5", "2/3/2024"];
const GRANT: Row = ["", "Bob", "2020 Plan", "ISO", "1/5/2024", "100", "0.5"];
const AWARDS = ["Award ID", "Name", "Equity Plan Name", "Type", "Grant Date", "Quantity", "Exercise Price"];

const carta = (stock: readonly Row[], awards: readonly Row[] = []) =>
  sheets({
    "Common Certificates": [["Fill in"], HEAD, ...stock],
    "Equity Plan Awards": [["Fill in"], AWARDS, ...awards],
  });

interface Step {
  readonly file?: ReturnType<typeof sheets>;
  readonly mapping?: Mapping;
  /** What happens between two files. */
  readonly then?: (tx: Tx, call: Call) => void;
}

/** The findings and effects of each file, one after the other, and the records in the end. */
function done(...steps: readonly Step[]) {
  return inOrganization(place, (tx, call) => {
    const reports = steps.flatMap(({ file, mapping = null, then }) => {
      then?.(tx, call);
      return file ? [importSheets(tx, call, file, { ...OPTIONS, mapping })] : [];
    });
    const there = tx.sqlite.prepare(
      "select certificateId || ' ' || quantity from securities where orgId = ? and deletedAt is null order by seq",
    );
    return { reports, there: there.pluck().all(call.orgId) as string[] };
  });
}

/** What a file did with its securities, as `create unchanged`, and what it was told. */
function shown({ reports }: Awaited<ReturnType<typeof done>>) {
  return reports.map(({ counts, problems, warnings }) => {
    const made = [counts.stock, counts.options].map((each) => (each ? `${each.create} ${each.unchanged}` : ""));
    const told = [...problems, ...warnings].filter(({ code }) => code !== "assumed" && code !== "over-issued");
    return [...made, ...told.map(({ code, cell }) => `${code} ${cell}`)].filter((text) => text !== "");
  });
}

/** Carries out a route on the security with this number. */
function operate(path: string, certificate: string, body: Readonly<Record<string, unknown>>) {
  return (tx: Tx, call: Call) => {
    const find = tx.sqlite.prepare(
      "select id, stakeholderId, stockClassId from securities where orgId = ? and certificateId = ?",
    );
    const { id, stakeholderId, stockClassId } = find.get(call.orgId, certificate) as Record<string, string>;
    const [method = "", rest = ""] = path.split(" ");
    const route = [...transactionRoutes, ...securityRoutes].find(
      (each) => each.method === method && each.path === `/api/v1/${rest}`,
    ) as WriteRoute;
    const subject = rest.endsWith("split") ? { stockClassId } : { securityId: id };
    const parties = rest.endsWith("transfer") ? { fromStakeholderId: stakeholderId } : {};
    const given = method === "PATCH" ? body : { ...subject, ...parties, effectiveDate: "2025-01-01", ...body };
    route.run(tx, call, { params: { id: id ?? "" }, body: given });
  };
}

test("come in once, however often the file is imported", async () => {
  const file = carta([BOB, ["CS-1", "Ada", ...BOB.slice(2)], BOB], [GRANT]);
  const all = await done({ file }, { file }, { file });
  expect(shown(all)).toEqual([
    ["3 0", "1 0", "same-row E5"],
    ["0 3", "0 1"],
    ["0 3", "0 1"],
  ]);
  expect(all.there.toSorted()).toEqual(["CS-1 10", "CS-2 10", "CS-3 10", "ES-1 100"]);
});

test("have in a later preview the numbers that they got, and one plan", async () => {
  const file = carta([BOB, BOB]);
  const { reports } = await done({ file }, { file }, { file });
  const numbers = reports.map(({ actions }) =>
    actions.filter(({ row: { to } }) => to === "stock").map(({ row }) => row.fields.get("certificate")?.value),
  );
  expect(numbers).toEqual([
    ["CS-1", "CS-2"],
    ["CS-1", "CS-2"],
    ["CS-1", "CS-2"],
  ]);
  expect(reports[1]?.planHash).toBe(reports[2]?.planHash ?? "");
  expect(reports[1]?.actions.every(({ what }) => what === "unchanged")).toBe(true);
});

test("are made where the file has one more of them, and where another is equal but for a figure", async () => {
  const more = await done({ file: carta([BOB]) }, { file: carta([BOB, BOB]) }, { file: carta([BOB, BOB]) });
  expect(shown(more)).toEqual([["1 0"], ["1 1", "same-row E4"], ["0 2"]]);
  const other = BOB.with(4, "11");
  expect(shown(await done({ file: carta([BOB]) }, { file: carta([BOB, other]) }))).toEqual([["1 0"], ["1 1"]]);
  expect(shown(await done({ file: carta([BOB]) }, { file: carta([BOB.with(1, "bob").with(5, "0.50")]) }))).toEqual([
    ["1 0"],
    ["0 1"],
  ]);
});

test("are made besides an equal security that had a number in its file", async () => {
  const numbered = BOB.with(0, "CS-1");
  expect(shown(await done({ file: carta([numbered]) }, { file: carta([BOB]) }))).toEqual([
    ["1 0"],
    ["1 0", "like-existing E3"],
  ]);
  // The number that the import gave was written into the file: the row without one is new.
  const all = await done({ file: carta([BOB]) }, { file: carta([numbered, BOB]) });
  expect([shown(all), all.there.length]).toEqual([[["1 0"], ["1 1"]], 2]);
});

test("that were corrected since are warned of, for they come in besides", async () => {
  const all = await done({ file: carta([BOB]) }, { file: carta([BOB.with(4, "12")]) });
  expect(shown(all)).toEqual([["1 0"], ["1 0", "like-existing E3"]]);
});

describe("are found again", () => {
  const HOLDER = (tx: Tx, call: Call) =>
    tx.sqlite.prepare("select id from stakeholders where orgId = ? and name like '%Ada%'").pluck().get(call.orgId);
  const cases: readonly (readonly [string, (tx: Tx, call: Call) => void])[] = [
    ["a split", operate("POST transactions/split", "CS-2", { numerator: 2, denominator: 1 })],
    [
      "a partial cancellation",
      operate("POST transactions/cancel", "CS-2", { quantity: "4", cancellationReason: "FORFEITURE" }),
    ],
    ["a repurchase of all", operate("POST transactions/repurchase", "CS-2", { quantity: "10", pricePerShare: "1" })],
    [
      "a transfer",
      (tx, call) =>
        operate("POST transactions/transfer", "CS-2", { toStakeholderId: HOLDER(tx, call), quantity: "10" })(tx, call),
    ],
    ["another number", operate("PATCH securities/:id", "CS-2", { certificateId: "OLD-7" })],
  ];
  test.each(cases)("after %s", async (_what, then) => {
    const file = carta([BOB, ["CS-1", "Ada", ...BOB.slice(2)]]);
    const all = await done({ file }, { then, file });
    expect(shown(all)).toEqual([["2 0"], ["0 2"]]);
  });
});

describe("are their holders' still", () => {
  const EMAIL = [...HEAD, "Email"];
  const withEmail = (...rows: readonly Row[]) => sheets({ "Common Certificates": [["Fill in"], EMAIL, ...rows] });
  const change = (body: Readonly<Record<string, unknown>>) => (tx: Tx, call: Call) => {
    const find = tx.sqlite.prepare("select id from stakeholders where orgId = ? and name like ?");
    const id = find.pluck().get(call.orgId, "%Bob%") as string;
    const route = stakeholderRoutes.find(({ method }) => method === "PATCH") as WriteRoute;
    route.run(tx, call, { params: { id }, body });
  };
  const called = (legalName: string) => change({ name: { legalName } });
  const MAIL = "bob@example.com";

  test("after a new name, whether the file has that or the old one", async () => {
    const file = (name: string) => carta([BOB.with(1, name), BOB.with(1, name)], [GRANT.with(1, name)]);
    const then = called("Robert Miller");
    const all = await done({ file: file("Bob") }, { then, file: file("Bob") }, { file: file("Robert Miller") });
    expect(shown(all)).toEqual([
      ["2 0", "1 0", "same-row E4"],
      ["0 2", "0 1", "differs B3"],
      ["0 2", "0 1"],
    ]);
    expect(all.reports.map(({ counts }) => counts.stakeholders?.create ?? 0)).toEqual([1, 0, 0]);
    expect(all.there.length).toBe(3);
  });

  test("after a new name and e-mail, but for rows of a holder with another e-mail", async () => {
    const row = [...BOB, MAIL];
    const then = change({ name: { legalName: "Robert Miller" }, email: "robert@example.com" });
    const all = await done({ file: withEmail(row) }, { then, file: withEmail(row) });
    expect(shown(all)).toEqual([["1 0"], ["0 0", "differs B3", "differs H3"]]);
    const other = await done({ file: withEmail(row) }, { then, file: withEmail([...BOB, "bob@other.example"]) });
    expect(shown(other)).toEqual([["1 0"], ["1 0"]]);
    expect(other.reports[1]?.counts.stakeholders?.create).toBe(1);
  });

  test("also where a table of holders lists the old name", async () => {
    const columns = { Who: "holder", When: "issueDate", Count: "quantity" };
    const stock = { sheet: ["Stock"], headerHas: ["Who"], to: "stock", columns, constants: { class: "Common" } };
    const holders = {
      sheet: ["Holders"],
      headerHas: ["Who"],
      to: "stakeholders",
      columns: { Who: "holder", Mail: "email" },
    };
    const tables = [holders, { ...stock, fallback: { certificate: "NEXT" } }];
    for (const mode of ["FULL", "OUTSTANDING"]) {
      const mapping = readMapping(JSON.stringify({ captableMapping: 1, name: "Mine", mode, tables }));
      const file = sheets({
        Holders: [
          ["Who", "Mail"],
          ["Bob", MAIL],
        ],
        Stock: [
          ["Who", "When", "Count"],
          ["Bob", "2024-01-02", "10"],
        ],
      });
      const then = called("Robert Miller");
      const all = await done({ file, mapping }, { then, file, mapping });
      const [, again] = all.reports;
      expect([again?.problems, again?.counts.stakeholders, again?.counts.stock]).toEqual([
        [],
        { create: 0, unchanged: 0, differs: 1, leftOut: 0 },
        { create: 0, unchanged: 1, differs: 0, leftOut: 0 },
      ]);
      expect(all.there).toEqual(["CS-1 10"]);
    }
  });

  test("and one of a holder who has the old name by now is warned of", async () => {
    const then = (tx: Tx, call: Call) => {
      called("Robert Miller")(tx, call);
      const route = stakeholderRoutes.find(({ method }) => method === "POST") as WriteRoute;
      route.run(tx, call, { params: {}, body: { name: { legalName: "Bob" }, displayName: "Bob", type: "INDIVIDUAL" } });
    };
    const borne = await done({ file: carta([BOB]) }, { then, file: carta([BOB]) });
    expect(shown(borne)).toEqual([["1 0"], ["1 0", "like-existing E3"]]);
    expect(borne.reports[1]?.warnings.find(({ code }) => code === "like-existing")?.detail).toContain(
      "besides CS-1 of Robert Miller",
    );
  });
});

test("of balances are known by what was issued, and what else is outstanding by now is told", async () => {
  const columns = { No: "certificate", Who: "holder", When: "issueDate", Issued: "quantity", Left: "outstanding" };
  const table = { sheet: ["*"], headerHas: ["Who"], to: "stock", columns, constants: { class: "Common" } };
  const text = {
    captableMapping: 1,
    name: "Mine",
    mode: "OUTSTANDING",
    tables: [{ ...table, fallback: { certificate: "NEXT" } }],
  };
  const mapping = readMapping(JSON.stringify(text));
  const file = (left: string) =>
    sheets({
      Any: [
        ["Who", "When", "Issued", "Left"],
        ["Ada", "2024-01-02", "10", left],
      ],
    });
  const all = await done({ file: file("8"), mapping }, { file: file("8"), mapping }, { file: file("7"), mapping });
  const unexplained = "balance-unexplained D2";
  expect(shown(all)).toEqual([
    ["1 0", unexplained],
    ["0 1", unexplained],
    ["different-existing D2", unexplained],
  ]);
});

describe("a register that is recorded with its numbers", () => {
  const codes = (all: Awaited<ReturnType<typeof done>>) => shown(all).at(-1) ?? [];
  const ADA = ["CS-7", "Ada", ...BOB.slice(2)];

  test("and comes again without them is told row by row, and so is one with other numbers", async () => {
    const numbered = carta([ADA], [["ES-7", ...GRANT.slice(1)]]);
    const without = await done({ file: numbered }, { file: carta([["", ...ADA.slice(1)]], [GRANT]) });
    expect(codes(without).slice(0, 4)).toEqual(["1 0", "1 0", "like-existing E3", "like-existing F3"]);
    const renumbered = await done({ file: numbered }, { file: carta([["A-1", ...ADA.slice(1)]]) });
    expect(codes(renumbered)).toEqual(["1 0", "like-existing E3"]);
  });

  test("is not reported for another holder, day or quantity, nor where both are in the file", async () => {
    const others = [ADA.with(0, "CS-8").with(1, "Bob"), ADA.with(0, "CS-9").with(4, "11")];
    expect(codes(await done({ file: carta([ADA]) }, { file: carta(others) }))).toEqual(["2 0"]);
    const both = carta([ADA, ADA.with(0, "CS-8")]);
    expect(codes(await done({ file: carta([ADA]) }, { file: both }))).toEqual(["1 1"]);
  });
});
