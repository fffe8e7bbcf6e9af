// Random files with every way in which securities come about: what the preview shows is what is recorded, in every
// column, and a wrong cell is refused where it stands.
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { fieldsIn, valueIn } from "../../../src/exchange/spreadsheet/compare/shown.ts";
import { importSheets } from "../../../src/exchange/spreadsheet/record/import.ts";
import type { Action, ImportReport } from "../../../src/exchange/spreadsheet/record/importing.ts";
import { formatDecimal, isSameFigure, parseDecimal } from "../../../src/kernel/numbers/decimal.ts";
import { listEntries } from "../../../src/ledger/store.ts";
import { showSecurity } from "../../../src/resources/securities/present-security.ts";
import { findAny } from "../../../src/storage/database/records.ts";
import type { Tx } from "../../../src/storage/database/sql.ts";
import { proved, seedCount } from "../../kit/proof.ts";
import { randomFrom } from "../../kit/random.ts";
import { openPlace, type Place } from "../../property/place.ts";
import { inOrganization, OPTIONS, sheets } from "./kit.ts";
import { RandomFile, type Wrong } from "./random-files.ts";

setDefaultTimeout(3_600_000);

let place: Place;
beforeAll(async () => {
  place = await openPlace();
});
afterAll(() => place.close());

const FILES = seedCount(5, 2000);

type Told = Readonly<Record<string, string | null>>;

/** What the record says of a security in the columns of a preview, read by other ways than the import reads it. */
function recordOf(tx: Tx, orgId: string, id: string): Told {
  const row = findAny(tx, "securities", orgId, id);
  if (row === null) throw new Error("nothing was recorded");
  const nameOf = (sql: string, key: string | null): string | null =>
    key === null ? null : (tx.sqlite.prepare<[string], { name: string }>(sql).get(key)?.name ?? null);
  const shown = showSecurity(row);
  const terms = (shown.convertibleTerms ?? {}) as Readonly<Record<string, string | number | null>>;
  const text = (value: unknown) => (value === null || value === undefined ? null : String(value));
  return {
    certificate: shown.certificateId,
    holder: nameOf("select name ->> '$.legalName' as name from stakeholders where id = ?", shown.stakeholderId),
    class: nameOf("select name from share_classes where id = ?", shown.stockClassId),
    plan: nameOf('select "planName" as name from equity_plans where id = ?', shown.equityPlanId),
    terms: nameOf("select name from vesting_terms where id = ?", shown.vestingTermsId),
    ...{ issueDate: shown.grantDate, price: shown.pricePerShare, exercisePrice: shown.exercisePrice },
    ...{ optionType: shown.optionType, expires: shown.expirationDate, vestingStart: shown.vestingStartDate },
    ...{ boardApproval: shown.boardApprovalDate, stockholderApproval: shown.stockholderApprovalDate },
    ...{ comments: shown.comments, kind: text(terms.convertibleType), valuationCap: text(terms.valuationCap) },
    ...{ discount: text(terms.discountPercent), interest: text(terms.interestRate), dayCount: text(terms.dayCount) },
    matures: text(terms.maturityDate),
  };
}

/** The entry that made a security: how, and how many shares of how many. */
function entryOf(tx: Tx, orgId: string, id: string) {
  const all = listEntries(tx, { orgId, filters: {}, before: null, limit: 1000 }).map((entry) => ({
    ...entry,
    said: JSON.parse(entry.metadata ?? "{}"),
  }));
  const taking = all.find(({ said }) => said.newSecurityId === id);
  const issuing = all.find(({ securityId, type }) => securityId === id && type.endsWith("_ISSUANCE"));
  const made = taking?.said.resultingQuantity ?? (taking ?? issuing)?.quantity;
  const how =
    taking === undefined
      ? ""
      : /TRANSFER/.test(taking.type)
        ? "TRANSFER"
        : /EXERCISE/.test(taking.type)
          ? "EXERCISE"
          : "CONVERSION";
  return { made, how, taken: taking?.quantity ?? "", withheld: taking?.said.withheld ?? null };
}

/** What of an action's columns is not as it is recorded. */
function differences(tx: Tx, orgId: string, action: Action): readonly string[] {
  const id = action.id ?? "";
  const told = recordOf(tx, orgId, id);
  const { made, how, taken } = entryOf(tx, orgId, id);
  const all: Told = { ...told, quantity: made, ...(how === "" ? {} : { how, fromQuantity: taken }) };
  const fields = new Set([...fieldsIn(action), ...(action.row.columns?.keys() ?? [])]);
  return [...fields].flatMap((field) => {
    const [shown, recorded] = [valueIn(action, field), all[field]];
    if (recorded === undefined) return [];
    return isSameFigure(shown, recorded ?? "") ? [] : [`${field}: ${shown} is shown, ${recorded} recorded`];
  });
}

const isSecurity = ({ row }: Action) => ["stock", "options", "warrants", "convertibles"].includes(row.to);

function problemsOf({ problems }: Pick<ImportReport, "problems">): readonly Wrong[] {
  return problems.map(({ code, sheet, row, header }) => ({ code, sheet, row, header })) as unknown as Wrong[];
}

test(`${FILES} random files: preview equal to record in every column, wrong cells refused where they stand`, async () => {
  let [rows, wrong] = [0, 0];
  for (let seed = 1; seed <= FILES; seed++) {
    const file = new RandomFile(randomFrom(seed), seed % 10 === 0);
    const grids = sheets(file.texts);
    const came = await inOrganization(place, (tx, call) => {
      const report = importSheets(tx, call, grids, OPTIONS);
      const expected = file.wrong === null ? [] : [file.wrong];
      const made = report.actions.filter(({ what }) => what === "create").filter(isSecurity);
      const differing = made.flatMap((action) => differences(tx, call.orgId, action));
      const count = () => listEntries(tx, { orgId: call.orgId, filters: {}, before: null, limit: 1000 }).length;
      const before = count();
      const again = file.wrong ? null : importSheets(tx, call, grids, { ...OPTIONS, importId: "import-2" });
      const unchanged = again?.actions
        .filter(({ what }) => what !== "unchanged")
        .map(({ row, what }) => [row.to, what]);
      return { report, expected, made: made.length, differing, again, unchanged, added: count() - before };
    });
    const { report, expected, made, differing, again, unchanged, added } = came;
    expect({ seed, problems: problemsOf(report) }).toEqual({ seed, problems: expected });
    expect({ seed, differing }).toEqual({ seed, differing: [] });
    // What a transfer to its own holder would have made is not there for the rows that go on from it.
    const isRest = file.wrong?.code !== "same-holder";
    expect({ seed, made }).toEqual({ seed, made: isRest ? file.rows.length - expected.length : made });
    expect({ seed, problems: again?.problems ?? [], unchanged: unchanged ?? [], added }).toEqual({
      ...{ seed, problems: [], unchanged: [], added: 0 },
    });
    rows += made;
    wrong += expected.length;
  }
  expect(wrong).toBe(Math.floor(FILES / 10));
  const result = `${rows.toLocaleString("en")} rows, ${wrong} wrong cells`;
  proved({ fault: "spreadsheets", what: "random files", count: FILES, seed: `1–${FILES}`, result });
});

test("a record that is another than what was shown is noticed, in every column", async () => {
  const changes = ["certificateId", "quantity", "pricePerShare", "grantDate", "comments", "stockholderApprovalDate"];
  const noticed = await inOrganization(place, (tx, call) => {
    const { actions } = importSheets(tx, call, sheets(new RandomFile(randomFrom(3), false).texts), OPTIONS);
    const stock = actions.find(({ row, what }) => row.to === "stock" && what === "create");
    if (!stock) throw new Error("there is no stock");
    expect(differences(tx, call.orgId, stock)).toEqual([]);
    return changes.filter((column) => {
      const was = tx.sqlite.prepare<[string], string>(`select "${column}" from securities where id = ?`).pluck();
      const set = tx.sqlite.prepare(`update securities set "${column}" = ? where id = ?`);
      const before = was.get(stock.id ?? "");
      set.run("77", stock.id);
      const found = differences(tx, call.orgId, stock);
      set.run(before, stock.id);
      return found.length === 1;
    });
  });
  // The quantity that counts is the entry's, which no change of the record reaches.
  expect(noticed).toEqual(changes.filter((column) => column !== "quantity"));
});

const EXERCISES = seedCount(5, 1000);

test(`${EXERCISES} random net exercises are exact`, async () => {
  const random = randomFrom(7);
  const whole = (below: number) => Math.floor(random() * below);
  const figure = (most: number) =>
    random() < 0.5 ? String(1 + whole(most)) : `${1 + whole(most)}.${1 + whole(99_999)}`;
  const net = Array.from({ length: EXERCISES }, (_, at) => {
    const gross = parseDecimal(figure(100_000));
    const left = (gross * BigInt(1 + whole(99_999))) / 100_000n;
    return { at, strike: figure(20), gross: formatDecimal(gross), left: formatDecimal(left > 0n ? left : 1n) };
  });
  const texts = {
    ...new RandomFile(randomFrom(1), false).texts,
    ...{ Stock: [], Warrants: [], Convertibles: [] },
    Options: [
      ["Grant", "Holder", "Plan", "Type", "Grant date", "Quantity", "Exercise price"],
      ...net.map(({ at, gross, strike }) => [`E-${at}`, "Ann", "Plan", "NSO", "2024-01-15", gross, strike]),
    ],
  };
  const stock = [
    ["Certificate", "Holder", "Class", "Issue date", "Quantity", "How issued", "From certificate", "From quantity"],
    ...net.map(({ at, left, gross }) => {
      return [`C-${at}`, "Ann", "Common", "2025-01-15", left, "Exercise", `E-${at}`, gross];
    }),
  ];
  const wrong = await inOrganization(place, (tx, call) => {
    const report = importSheets(tx, call, sheets({ ...texts, Stock: stock }), OPTIONS);
    expect(report.problems).toEqual([]);
    const made = tx.sqlite
      .prepare<[string], { certificateId: string; quantity: string; purchasePrice: string | null; metadata: string }>(
        `select s."certificateId", s.quantity, s."purchasePrice", t.metadata from securities s join transactions t
          on t."orgId" = s."orgId" and t.metadata ->> '$.newSecurityId' = s.id where s."orgId" = ?`,
      )
      .all(call.orgId);
    const byNumber = new Map(made.map((each) => [each.certificateId, each]));
    return net.filter(({ at, gross, left }) => {
      const { quantity = "", metadata = "{}" } = byNumber.get(`C-${at}`) ?? {};
      const { withheld = "0", fairMarketValue } = JSON.parse(metadata);
      const rest = formatDecimal(parseDecimal(gross) - parseDecimal(left));
      return quantity !== left || withheld !== rest || fairMarketValue !== undefined;
    });
  });
  expect(wrong).toEqual([]);
  proved({ fault: "spreadsheets", what: "net exercises", count: EXERCISES, seed: "7", result: "exact" });
});
