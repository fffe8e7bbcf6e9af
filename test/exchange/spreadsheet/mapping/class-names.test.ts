// A class that a workbook calls differently in its summary and on its ledger's sheet is one class, and its total one sum.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { importSheets } from "../../../../src/exchange/spreadsheet/record/import.ts";
import type { Call } from "../../../../src/kernel/call.ts";
import type { WriteRoute } from "../../../../src/resources/route.ts";
import { shareClassRoutes } from "../../../../src/resources/share-classes/routes.ts";
import type { Tx } from "../../../../src/storage/database/sql.ts";
import { openPlace, type Place } from "../../../property/place.ts";
import { inOrganization, OPTIONS, sheets } from "../kit.ts";

setDefaultTimeout(60_000);

let place: Place;
beforeAll(async () => {
  place = await openPlace();
});
afterAll(() => place.close());

const HEAD = ["Security ID", "Stakeholder Name", "Quantity Issued", "Quantity Canceled", "Issue Date"];

/** Carta's export: classes of the summary with what they say is issued, and ledgers by their sheets' names. */
function carta(
  classes: Readonly<Record<string, string>>,
  ledgers: Readonly<Record<string, readonly (readonly string[])[]>>,
) {
  const summary = Object.entries(classes).map(([name, issued]) => [name, "100000", issued]);
  const sheetsOf = Object.entries(ledgers).map(([name, rows]) => [`${name} Ledger`, [HEAD, ...rows]] as const);
  return sheets({
    "Summary Cap Table": [
      ["Example"],
      ["As of 03/31/2026"],
      ["", "Shares Authorized", "Issued/Outstanding"],
      ...summary,
    ],
    ...Object.fromEntries(sheetsOf),
  });
}

const ROWS = [
  ["CS-1", "Ada", "500", "", "01/02/2024"],
  ["CS-2", "Ben", "300", "100", "02/03/2024"],
];

/** What two imports of a file do, where a class may be recorded before. */
function imported(file: ReturnType<typeof sheets>, prefix?: string) {
  return inOrganization(place, (tx, call) => {
    if (prefix !== undefined) record(tx, call, prefix);
    const [report, again] = [importSheets(tx, call, file, OPTIONS), importSheets(tx, call, file, OPTIONS)];
    const names = tx.sqlite.prepare("select name from share_classes where orgId = ? order by seq").pluck();
    return { report, again, classes: names.all(call.orgId) as string[] };
  });
}

function record(tx: Tx, call: Call, defaultIdPrefix: string): void {
  const route = shareClassRoutes.find(({ method }) => method === "POST") as WriteRoute;
  const body = { name: "Common", classType: "COMMON", defaultIdPrefix, initialSharesAuthorized: "100000" };
  route.run(tx, call, { params: {}, body: { ...body, votesPerShare: "1", seniority: 1 } });
}

describe("one class", () => {
  const cases: readonly (readonly [summary: string, sheet: string, prefix: string | undefined, name: string])[] = [
    ["Common (CS)", "CS", undefined, "Common (CS)"],
    ["Common (CS)", "Common", undefined, "Common (CS)"],
    ["Common (CS)", "Common (CS)", undefined, "Common (CS)"],
    ["Common", "Common (CS)", undefined, "Common"],
    ["Common (CS)", "CS", "CS", "Common"],
    ["Common (CS)", "CS", "CS-", "Common"],
    ["Common (CS)", "Common", "CS-", "Common"],
    ["Common", "CS", "CS-", "Common"],
  ];
  test.each(cases)("is %s of the summary and %s of the ledger, with the prefix %p recorded", async (...given) => {
    const [summary, sheet, prefix, name] = given;
    const { report, again, classes } = await imported(carta({ [summary]: "700" }, { [sheet]: ROWS }), prefix);
    expect([report.problems, classes]).toEqual([[], [name]]);
    expect(report.totals.map(({ file, computed, equal }) => [file, computed, equal])).toEqual([["700", "700", true]]);
    for (const { create } of Object.values(again.counts)) expect(create).toBe(0);
    expect([again.problems, again.totals.map(({ equal }) => equal)]).toEqual([[], [true]]);
  });

  test("does not agree where its rows do not add up, by whatever name", async () => {
    const { report } = await imported(carta({ "Common (CS)": "701" }, { CS: ROWS }));
    expect(report.problems.map(({ code, cell }) => [code, cell])).toEqual([["total-mismatch", "C4"]]);
  });
});

describe("two classes", () => {
  test("stay two where nothing says whose prefix a name is", async () => {
    const { report, classes } = await imported(carta({ Common: "700" }, { CS: ROWS }));
    expect(report.problems.map(({ code }) => code)).toEqual(["total-mismatch"]);
    expect(classes).toEqual(["Common", "CS"]);
  });

  test("that share a name have each its own ledger", async () => {
    const [voting, others] = [ROWS.slice(0, 1), ROWS.slice(1).map((row) => row.with(0, "CN-1"))];
    const file = carta({ "Common (CS)": "500", "Common (CN)": "200" }, { CS: voting, CN: others });
    const { report, classes } = await imported(file);
    expect([report.problems, classes]).toEqual([[], ["Common (CS)", "Common (CN)"]]);
    const unclear = await imported(carta({ "Common (CS)": "500", "Common (CN)": "200" }, { Common: voting }));
    expect(unclear.report.problems.map(({ code }) => code)).toEqual(["total-mismatch", "total-mismatch"]);
  });

  test("are not made one by words in parentheses that are no prefix", async () => {
    const file = carta({ Common: "500" }, { Common: ROWS.slice(0, 1), "Common (Non-Voting)": ROWS.slice(1) });
    const { report, classes } = await imported(file);
    expect([report.problems, classes]).toEqual([[], ["Common", "Common (Non-Voting)"]]);
  });
});
