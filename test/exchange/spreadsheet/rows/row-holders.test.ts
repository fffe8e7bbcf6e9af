// The holders of rows: by number, else by name, and never one with another e-mail or number.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { readMapping } from "../../../../src/exchange/spreadsheet/mapping/mapping.ts";
import { importSheets } from "../../../../src/exchange/spreadsheet/record/import.ts";
import type { Call } from "../../../../src/kernel/call.ts";
import { stakeholderRoutes } from "../../../../src/resources/stakeholders/routes.ts";
import type { Tx } from "../../../../src/storage/database/sql.ts";
import { openPlace, type Place } from "../../../property/place.ts";
import { inOrganization, OPTIONS, sheets, type Texts } from "../kit.ts";

setDefaultTimeout(120_000);

let place: Place;
beforeAll(async () => {
  place = await openPlace();
});
afterAll(() => place.close());

const STOCK = { Number: "certificate", Holder: "holder", Mail: "holderEmail", No: "holderNumber", Class: "class" };
const tables = [
  {
    ...{ sheet: ["Holders"], optional: true, to: "stakeholders", headerHas: ["Holder"] },
    columns: { Holder: "holder", Mail: "email", No: "holderNumber", Type: "type" },
  },
  {
    ...{ sheet: ["Stock"], to: "stock", headerHas: ["Number"] },
    columns: { ...STOCK, Shares: "quantity", Day: "issueDate", Price: "price" },
  },
];
const mappingOf = (mode: string) => readMapping(JSON.stringify({ captableMapping: 1, name: "Own", mode, tables }));

type Person = readonly [name: string, email?: string, number?: string];

/** A file with a row of stock for each person, and a sheet of the holders that are listed. */
function file(rows: readonly Person[], listed: readonly Person[] = []): Texts {
  const stock = rows.map(([name, email = "", number = ""], at) => {
    return [`CS-${at + 1}`, name, email, number, "Common", "100", "2024-01-02", "1.50"];
  });
  const holders = listed.map(([name, email = "", number = ""]) => [name, email, number, "Individual"]);
  return {
    ...(listed.length > 0 ? { Holders: [["Holder", "Mail", "No", "Type"], ...holders] } : {}),
    Stock: [["Number", "Holder", "Mail", "No", "Class", "Shares", "Day", "Price"], ...stock],
  };
}

const create = stakeholderRoutes.find(({ method }) => method === "POST");

/** What an import of the file into an organization with these holders tells: codes at cells, and whom it makes. */
function told(recorded: readonly Person[], texts: Texts, mode = "OUTSTANDING") {
  return inOrganization(place, (tx: Tx, call: Call) => {
    for (const [name, email, issuerAssignedId] of recorded) {
      const body = { displayName: name, name: { legalName: name }, type: "INDIVIDUAL" };
      if (create === undefined || !("run" in create)) throw new Error("no route");
      const more = { ...(email ? { email } : {}), ...(issuerAssignedId ? { issuerAssignedId } : {}) };
      create.run(tx, call as never, { params: {}, query: {}, body: { ...body, ...more } } as never);
    }
    const report = importSheets(tx, call, sheets(texts), { ...OPTIONS, mapping: mappingOf(mode) });
    const shown = ({ code, sheet, cell, detail }: (typeof report.problems)[number]) =>
      `${code} ${sheet}!${cell}: ${detail}`;
    return {
      problems: report.problems.map(shown),
      similar: report.warnings.filter(({ code }) => code === "similar-holder").map(shown),
      made: report.counts.stakeholders?.create ?? 0,
    };
  });
}

describe("a row of a holder", () => {
  const john: Person = ["John Smith", "john1@a.test"];
  const other: Person = ["John Smith", "john2@b.test"];

  test("who has another e-mail than the one on record is unknown, and reported with that one", async () => {
    const { problems, made } = await told([john], file([other]));
    expect(problems).toEqual([
      "unknown-holder Stock!B2: John Smith with the e-mail john2@b.test is not known; John Smith (john1@a.test) has another e-mail",
    ]);
    expect(made).toBe(0);
  });

  test("whom a sheet of holders lists is a second holder of the name, and a row without e-mail can be either", async () => {
    const { problems, similar, made } = await told([john], file([other, ["John Smith"]], [other]));
    expect(problems).toEqual([
      "ambiguous-holder Stock!B3: John Smith is ambiguous: John Smith (john1@a.test), John Smith (john2@b.test)",
    ]);
    expect(similar).toEqual([
      "similar-holder Holders!A2: John Smith (john2@b.test) and John Smith (john1@a.test) are two holders",
    ]);
    expect(made).toBe(1);
  });

  test("e-mail is one in whatever case, and who has none on record is meant", async () => {
    expect(await told([john], file([["JOHN SMITH", "John1@A.test"]]))).toMatchObject({ problems: [], made: 0 });
    expect(await told([["John Smith"]], file([other]))).toMatchObject({ problems: [], made: 0 });
  });

  test("with a number is the number's holder, and reported where the name is another's", async () => {
    const recorded: Person[] = [["Ann Lee", "", "7"], ["Ben"]];
    expect(await told(recorded, file([["Ann Leé", "", "7"]]))).toMatchObject({ problems: [], made: 0 });
    expect((await told(recorded, file([["Ben", "", "7"]]))).problems).toEqual([
      "ambiguous-holder Stock!B2: Ben is ambiguous: the number 7 is Ann Lee's",
    ]);
  });

  test("who resembles no other makes a holder, one for each e-mail; a row without one can then be several", async () => {
    const { problems, made } = await told([], file([john, other, john, ["John Smith"]]));
    expect(made).toBe(2);
    expect(problems.map((each) => each.split(":")[0])).toEqual(["ambiguous-holder Stock!B5"]);
    expect(await told([], file([john, ["John Smith"]]))).toMatchObject({ problems: [], made: 1 });
  });

  test("who resembles another is a holder of its own, and warned of at the later cell", async () => {
    const { similar, made } = await told([["Tomás Herrera"]], file([["Tomas Herrera"]]));
    expect(made).toBe(1);
    expect(similar).toEqual(["similar-holder Stock!B2: Tomas Herrera and Tomás Herrera are two holders"]);
    expect((await told([["Fund I"]], file([["Fund II"]]))).similar).toEqual([]);
  });

  test("Fund, L.P. and Fund LP are two holders, and राम is not रोम", async () => {
    const { made } = await told([], file([["Fund, L.P."], ["Fund LP"], ["राम"], ["रोम"]]));
    expect(made).toBe(4);
  });

  test("whom a whole history does not list is unknown, and who is alike or nearest is named", async () => {
    const listed: Person[] = [["Tomás Herrera"], ["Ann Lee"]];
    const { problems } = await told([], file([["Tomas Herrera"], ["Anne Leh"], ["Zoe"]], listed), "FULL");
    expect(problems).toEqual([
      "unknown-holder Stock!B2: Tomas Herrera is not known; Tomás Herrera is alike",
      "unknown-holder Stock!B3: Anne Leh is not known; the nearest is Ann Lee",
      "unknown-holder Stock!B4: Zoe is not known",
    ]);
  });
});

test("a holder whom a sheet lists twice is reported, unless e-mail or number is another", async () => {
  const listed: Person[] = [["Ann", "a@a.test"], ["ann"], ["Ann", "b@b.test"], ["Ben", "b@b.test", "1"]];
  const { problems, made } = await told([], file([["Ben"]], listed));
  expect(problems).toEqual(["duplicate-holder Holders!A3: ann is in Holders!2, too"]);
  expect(made).toBe(3);
});
