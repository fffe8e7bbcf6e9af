// What is odd about what a package brings is told as the API tells it of the same, at the object; and of nothing else.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { type Company, newCompany, packageWith } from "./import-support.ts";
import { type Fields, grant, RECORDS, stock, tx } from "./objects.ts";

setDefaultTimeout(60_000);

let company: Company;
beforeAll(async () => {
  company = await newCompany();
});
afterAll(() => company.close());

const CODES: ReadonlySet<string> = new Set([
  ...["plan-expired", "expires-before-grant", "holder-former", "price-and-quantity-swapped", "same-name"],
  ...["iso-to-non-employee", "iso-term", "iso-ten-percent-holder", "iso-plan-approval", "iso-plan-age"],
  "votes-basis-assumed",
]);

/** What an import says of such things, in a company of its own. */
async function told(...objects: readonly Fields[]): Promise<readonly string[]> {
  const { import: bring, close } = await newCompany();
  try {
    const { warnings, errors } = await bring(packageWith(objects));
    expect(errors).toEqual([]);
    return warnings.filter(({ code }) => CODES.has(code)).map(({ code, id, pointer }) => `${code} ${id} ${pointer}`);
  } finally {
    close();
  }
}

const iso = { option_grant_type: "ISO", compensation_type: "OPTION_ISO" };
const left: Fields = {
  ...{ object_type: "STAKEHOLDER", id: "cy", name: { legal_name: "Cy Lind" }, stakeholder_type: "INDIVIDUAL" },
  current_status: "TERMINATION_VOLUNTARY_OTHER",
};
const status = (date: string, new_status: string): Fields => ({
  ...{ object_type: "CE_STAKEHOLDER_STATUS", id: `status ${date}`, stakeholder_id: "cy", date, new_status },
});

test("nothing is said of a package in which nothing is odd", async () => {
  expect(await told(...RECORDS, stock("CS-1", "2024-01-10", "1000"), grant("ES-1", "2024-01-10", "1000"))).toEqual([]);
});

test("grants that expire before they begin, and figures in each other's place", async () => {
  const expired = grant("ES-1", "2024-01-10", "1000", { expiration_date: "2023-01-10" });
  const swapped = stock("CS-1", "2024-01-10", "0.5", { share_price: { amount: "1000", currency: "USD" } });
  const said = await told(...RECORDS, expired, swapped);
  expect(said.toSorted()).toEqual([
    `expires-before-grant ${expired.id} #/expiration_date`,
    `price-and-quantity-swapped ${swapped.id} #/quantity`,
  ]);
});

describe("securities of a holder who has left", () => {
  const issue = (id: string, date: string) => stock(id, date, "100", { stakeholder_id: "cy" });

  test("are told once where nothing says when that was", async () => {
    const [first, second] = [issue("CS-1", "2024-01-10"), issue("CS-2", "2024-02-10")];
    expect(await told(...RECORDS, left, first, second)).toEqual([`holder-former ${first.id} #/stakeholder_id`]);
  });

  test("are told by their days where the package says when", async () => {
    const [before, after, back] = [
      issue("CS-1", "2024-01-10"),
      issue("CS-2", "2024-03-10"),
      issue("CS-3", "2024-05-10"),
    ];
    const days = [status("2024-02-01", "TERMINATION_VOLUNTARY_OTHER"), status("2024-04-01", "ACTIVE")];
    expect(await told(...RECORDS, left, ...days, before, after, back)).toEqual([
      `holder-former ${after.id} #/stakeholder_id`,
    ]);
  });

  test("are told where a transfer makes them, and not of what the giver keeps", async () => {
    const given = tx("STOCK_TRANSFER", "2024-02-10", {
      ...{ security_id: "CS-1", quantity: "40", resulting_security_ids: ["CS-2"], balance_security_id: "CS-3" },
    });
    const made = stock("CS-2", "2024-02-10", "40", { stakeholder_id: "cy" });
    const kept = stock("CS-3", "2024-02-10", "60");
    expect(await told(...RECORDS, left, stock("CS-1", "2024-01-10", "100"), given, made, kept)).toEqual([
      `holder-former ${made.id} #/stakeholder_id`,
    ]);
  });
});

describe("incentive options that tax law does not take for ones", () => {
  const employee = (relationship: string): Fields => ({
    ...{ object_type: "STAKEHOLDER", id: "cy", name: { legal_name: "Cy Lind" }, stakeholder_type: "INDIVIDUAL" },
    current_relationship: relationship,
  });
  const toCy = (members: Fields) => grant("ES-1", "2024-01-10", "1000", { stakeholder_id: "cy", ...iso, ...members });

  test("to no employee, or for more than ten years", async () => {
    const long = toCy({ expiration_date: "2034-01-11" });
    expect(await told(...RECORDS, employee("ADVISOR"), long)).toEqual([
      `iso-to-non-employee ${long.id} #/stakeholder_id`,
      `iso-term ${long.id} #/expiration_date`,
    ]);
    expect(await told(...RECORDS, employee("EMPLOYEE"), toCy({ expiration_date: "2034-01-10" }))).toEqual([]);
  });

  test("to a holder of more than a tenth of the votes", async () => {
    const owned = stock("CS-1", "2024-01-01", "1000", { stakeholder_id: "cy" });
    const option = toCy({ expiration_date: "2033-01-10" });
    expect(await told(...RECORDS, employee("EMPLOYEE"), owned, option)).toEqual([
      `iso-ten-percent-holder ${option.id} #/exercise_price`,
    ]);
  });
});

test("two stakeholders of one name: the later one, once", async () => {
  const again: Fields = { ...left, id: "ada-2", name: { legal_name: "ADA  Lovelace" } };
  expect(await told(...RECORDS, again)).toEqual(["same-name ada-2 #/name"]);
});

describe("how a class votes, which a package does not say", () => {
  const converting = (numerator: string, comments: readonly string[] = []): Fields => {
    const ratio = { numerator, denominator: "2" };
    const mechanism = { type: "RATIO_CONVERSION", ratio, conversion_price: { amount: "1", currency: "USD" } };
    const right = { type: "STOCK_CLASS_CONVERSION_RIGHT", converts_to_stock_class_id: "common" };
    return {
      ...RECORDS[3],
      price_per_share: { amount: "1", currency: "USD" },
      conversion_rights: [{ ...right, conversion_mechanism: { ...mechanism, rounding_type: "NORMAL" } }],
      comments,
    };
  };
  const others = RECORDS.filter(({ id }) => id !== "preferred");

  test("is told where it makes a difference", async () => {
    expect(await told(...others, converting("3"))).toEqual(["votes-basis-assumed preferred #/votes_per_share"]);
    expect(await told(...others, converting("2"))).toEqual([]);
    expect(await told(...others, converting("3", ['captable:{"votesBasis":"PER_SHARE"}']))).toEqual([]);
  });

  test("is told where an adjustment makes the difference, and not again of a class that is there", async () => {
    const ratio = { numerator: "3", denominator: "2" };
    const mechanism = { type: "RATIO_CONVERSION", ratio, conversion_price: { amount: "1", currency: "USD" } };
    const adjusted = tx("STOCK_CLASS_CONVERSION_RATIO_ADJUSTMENT", "2024-06-01", {
      stock_class_id: "preferred",
      new_ratio_conversion_mechanism: { ...mechanism, rounding_type: "NORMAL" },
    });
    const ocf = packageWith([...others, converting("2"), adjusted]);
    const votes = async () => (await company.import(ocf)).warnings.filter(({ code }) => code === "votes-basis-assumed");
    expect((await votes()).map(({ id }) => id)).toEqual(["preferred"]);
    expect(await votes()).toEqual([]);
  });
});
