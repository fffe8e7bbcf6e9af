// Registers after a net exercise: each row adds up with the gross number that its entry took.
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { parse } from "csv-parse/sync";
import { type Company, done, foundCompany, makeTerms, option, warrant } from "../../ledger/support.ts";

setDefaultTimeout(60_000);

let company: Company;
beforeAll(async () => {
  company = await foundCompany();
});
afterAll(() => company.server.stop());

async function rows(report: string, asOf: string): Promise<Record<string, string>[]> {
  const headers = { authorization: `Bearer ${await company.server.key("VIEWER")}` };
  const answer = await fetch(`${company.server.url}/api/v1/reports/${report}.csv?asOf=${asOf}`, { headers });
  return parse(Buffer.from(await answer.bytes()), { bom: true, columns: true });
}

const FIGURES = ["Exercised", "Cancelled", "Outstanding", "Vested", "Unvested"] as const;
const figures = (row: Record<string, string> | undefined) => FIGURES.map((name) => row?.[name]);

test("vested and unvested are what is outstanding and what was exercised, withheld shares in", async () => {
  const trigger = { type: "TIME_BASED", periodLength: 1, periodType: "MONTHS" };
  const vestingTermsId = await makeTerms(company.server, [
    { id: "m", trigger, portion: { numerator: 1, denominator: 12 }, nextConditionId: "m" },
  ]);
  const given = { quantity: "4800", exercisePrice: "1", effectiveDate: "2024-01-01" };
  const [grant, other, onStock] = [
    await option(company, { ...given, certificateId: "NET-1", vestingTermsId }),
    await option(company, { ...given, certificateId: "NET-2" }),
    await warrant(company, { ...given, certificateId: "NET-W" }),
  ];
  for (const securityId of [grant, other, onStock]) {
    const worth = { exercisePrice: "1", paymentMethod: "NET_EXERCISE", fairMarketValue: "2" };
    await done(company, "exercise", { securityId, quantity: "1600", effectiveDate: "2024-07-01", ...worth });
  }
  const ledger = await rows("option-ledger", "2024-07-01");
  const of = (number: string) => figures(ledger.find(({ Grant }) => Grant === number));
  expect(of("NET-1")).toEqual(["1600", "0", "3200", "2400", "2400"]);
  expect(of("NET-2")).toEqual(["1600", "0", "3200", "4800", "0"]);
  expect(figures((await rows("warrants", "2024-07-01"))[0])).toEqual(["1600", "0", "3200", "4800", "0"]);
  expect((await rows("pool", "2024-07-01")).map(({ Exercised }) => Exercised)).toEqual(["3200"]);

  const split = { stockClassId: company.common, numerator: 3, denominator: 2, effectiveDate: "2024-07-15" };
  await done(company, "split", split);
  const after = await rows("option-ledger", "2024-07-15");
  expect(figures(after.find(({ Grant }) => Grant === "NET-1"))).toEqual(["1600", "0", "4800", "3600", "3600"]);
});
