// Every figure that people read equals the API's, digit by digit: for random companies with up to 15 digits and 10 places, what
// stands on the Overview, in its file and in the portal is read from the page, ungrouped, and held against the answers.
import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { readFileSync } from "node:fs";
import { formatDecimal, parseDecimal } from "../../src/kernel/numbers/decimal.ts";
import type { components } from "../../src/web/api/types.ts";
import { HAS_CHROMIUM, IN_BROWSER } from "../kit/chromium.ts";
import { type Ask, asking } from "../kit/company.ts";
import { inPage, type Staying, signIn, type Visitor } from "../kit/pages.ts";
import { Random } from "../kit/random.ts";
import { RELEASE } from "../kit/release.ts";
import type { TestServer } from "../kit/service.ts";
import { setStage } from "../kit/stage.ts";

setDefaultTimeout(300_000);

type CapTable = components["schemas"]["CapTable"];

const SEEDS = Array.from({ length: RELEASE ? 25 : 4 }, (_, seed) => seed);
const PLACES_MAX = 10;
const DIGITS_MAX = 13;

/** A quantity of any size, above zero. */
function quantity(random: Random): string {
  const digits = (count: number) => Array.from({ length: count }, () => random.below(10)).join("");
  const whole = `${random.between(1, 9)}${digits(random.below(DIGITS_MAX))}`;
  const places = random.chance(0.5) ? random.between(1, PLACES_MAX) : 0;
  return places === 0 ? whole : `${whole}.${digits(places)}`;
}

const range = (count: number) => Array.from({ length: count }, (_, index) => index);
const idOf = (made: { id?: string; data?: { id: string; securityId: string } }) =>
  String(made.id ?? made.data?.id ?? made.data?.securityId);

/** Makes a company; returns its holders. */
async function makeCompany(ask: Ask, random: Random): Promise<readonly string[]> {
  const holders: string[] = [];
  for (const index of range(random.between(2, 9))) {
    const displayName = `Holder ${index} =${random.below(100)}, "x"`;
    holders.push(
      idOf(await ask("POST", "/stakeholders", { displayName, name: { legalName: displayName }, type: "INDIVIDUAL" })),
    );
  }
  const classes: string[] = [];
  for (const index of range(random.between(1, 5))) {
    const own = { name: `Class ${index}`, classType: "COMMON", defaultIdPrefix: `C${index}-`, seniority: 9 - index };
    const body = { ...own, initialSharesAuthorized: "999999999999999.9999999999", votesPerShare: "1" };
    classes.push(idOf(await ask("POST", "/share-classes", body)));
  }
  const reserved = { planName: "Plan", initialSharesReserved: "999999999999999.0000000001" };
  const plan = idOf(await ask("POST", "/equity-plans", { ...reserved, stockClassIds: [classes[0]] }));
  const trigger = { type: "TIME_BASED", periodLength: 1, periodType: "MONTHS" };
  const condition = { id: "month", trigger, portion: { numerator: 1, denominator: 48 } };
  const terms = { name: "Monthly", description: "Four years", vestingConditions: [condition] };
  const vestingTermsId = idOf(await ask("POST", "/vesting-terms", terms));
  const pick = (ids: readonly string[]) => ids[random.below(ids.length)] ?? "";
  for (const index of range(random.between(3, 10))) {
    const common = { quantity: quantity(random), certificateId: `S-${index}`, effectiveDate: "2024-03-15" };
    const stakeholderId = pick(holders);
    const kind = random.weighted({ shares: 5, options: 3, warrant: 1 });
    if (kind === "shares") {
      await ask("POST", "/transactions/issue-shares", { ...common, stakeholderId, stockClassId: pick(classes) });
    } else if (kind === "options") {
      const more = { stockPlanId: plan, exercisePrice: "0.1234567891", optionType: "NSO", vestingTermsId };
      await ask("POST", "/transactions/issue-options", { ...common, ...more, stakeholderId });
    } else await ask("POST", "/transactions/issue-warrant", { ...common, stakeholderId, exercisePrice: "1.5" });
  }
  return holders;
}

/** A figure as it was read, without its grouping. */
function ungrouped(text: string): string {
  return text === "–" || text === "" ? "0" : normal(text.replaceAll(",", "").replace(/%$/, ""));
}

/** A decimal without zeros that say nothing. */
function normal(decimal: string): string {
  return /^[\d.]+$/.test(decimal) ? formatDecimal(parseDecimal(decimal)) : decimal;
}

/** The rows of a table: the head's words, then each row's; of a percentage what its tooltip says in full. */
function rowsOf(visitor: Visitor, label: string): Promise<string[][]> {
  return inPage(
    visitor,
    visitor.page,
    `[...document.querySelectorAll('[role=group][aria-label="${label}"] tr')].map((row) => [...row.children].map((cell) =>
      (cell.querySelector("[title$='%']")?.title ?? cell.innerText).trim()))`,
  );
}

/** What the cap table must show: holders by class, from junior to senior, then options and warrants where there are any. */
function expectedRows({ stakeholders, shareClasses, totals }: CapTable): string[][] {
  const classes = shareClasses.toSorted((a, b) => (a.name < b.name ? -1 : 1));
  const kinds = (["options", "warrants"] as const).filter((kind) => totals[kind] !== "0");
  const held = (holder: CapTable["stakeholders"][number], id: string) =>
    holder.holdings.find(({ stockClassId }) => stockClassId === id)?.quantity ?? "0";
  return stakeholders.map((each) => [
    String(each.displayName),
    ...classes.map(({ id }) => normal(held(each, id))),
    ...kinds.map((kind) => normal(each[kind])),
    ...[normal(each.fullyDiluted), normal(each.percentFullyDiluted)],
  ]);
}

/** The cells of a file; the first cell of a row alone is quoted here. */
function cellsOf(line: string): string[] {
  return [...line.matchAll(/("(?:[^"]|"")*"|[^,]*)(?:,|$)/g)]
    .map(([, cell = ""]) => cell.replace(/^"(.*)"$/, "$1").replaceAll('""', '"'))
    .slice(0, -1);
}

describe.skipIf(!HAS_CHROMIUM)(IN_BROWSER, () => {
  let server: TestServer;
  let visiting: Staying["turn"];
  setStage(({ stays, ...stage }) => {
    ({ server } = stage);
    visiting = stays(null);
  });

  async function overview(visitor: Visitor, orgId: string, table: CapTable): Promise<void> {
    const { page } = visitor;
    await signIn(visitor, server, { role: "VIEWER", orgId });
    await visitor.go(`/o/${orgId}`);
    await visitor.settled();
    const [, ...rows] = await rowsOf(visitor, "Cap table");
    const holders = rows
      .slice(0, table.stakeholders.length)
      .map(([name, ...figures]) => [name, ...figures.map(ungrouped)]);
    expect(holders).toEqual(expectedRows(table));
    const last = (rows.at(-1) ?? []).slice(-2).map(ungrouped);
    expect(last).toEqual([normal(table.totals.fullyDiluted), "100"]);

    const strip = await inPage<string[]>(
      visitor,
      page,
      "[...document.querySelectorAll('.strip .strip-figure')].map((each) => each.innerText.trim())",
    );
    const { fullyDiluted, outstanding, poolAvailable } = table.totals;
    expect([0, 1, 3].map((at) => ungrouped(strip[at] ?? ""))).toEqual(
      [fullyDiluted, outstanding, poolAvailable].map(normal),
    );

    const [, ...parts] = await rowsOf(visitor, "Ownership");
    for (const { name, issued, authorized } of table.shareClasses) {
      const part = parts.find(([first]) => first === name) ?? [];
      expect([name, ...part.slice(1, 3).map(ungrouped)]).toEqual([name, normal(issued), normal(authorized)]);
    }

    const card = page.getByRole("region", { name: "Cap table" });
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      card.getByRole("button", { name: "Download CSV" }).click(),
    ]);
    const [heading = [], ...lines] = readFileSync(await download.path(), "utf8")
      .trim()
      .split("\r\n")
      .map(cellsOf);
    const inFile = lines
      .slice(0, table.stakeholders.length)
      .map((cells) => ["Fully diluted", "% fully diluted"].map((name) => cells[heading.indexOf(name)]));
    expect(inFile).toEqual(table.stakeholders.map((each) => [each.fullyDiluted, each.percentFullyDiluted]));
    expect(lines.slice(0, table.stakeholders.length).map(([name]) => name)).toEqual(
      table.stakeholders.map(({ displayName }) => displayName ?? ""),
    );
    const sums = ["Options", "Warrants", "Fully diluted"].map((name) => lines.at(-1)?.[heading.indexOf(name)]);
    expect(sums).toEqual([table.totals.options, table.totals.warrants, fullyDiluted]);
  }

  async function portal(visitor: Visitor, orgId: string, stakeholderId: string): Promise<void> {
    const { page } = visitor;
    await signIn(visitor, server, { role: "STAKEHOLDER", stakeholderIds: [stakeholderId], orgId });
    await visitor.go(`/o/${orgId}/mine`);
    await visitor.settled();
    const asked = `fetch("/api/v1/portal", { headers: { "Captable-Organization": "${orgId}" } }).then((it) => it.json())`;
    const { holdings } = (await inPage<{ data: components["schemas"]["Portal"] }>(visitor, page, asked)).data;
    for (const { securityId, certificateId, quantity: held, vested, unvested } of holdings) {
      const card = page.locator(".held").filter({ hasText: certificateId ?? securityId });
      const head = (await card.getByRole("heading", { level: 2 }).textContent()) ?? "";
      expect(ungrouped(head.replace(/ \w+$/, ""))).toBe(normal(held));
      const figures = await card.locator(".strip-figure").allTextContents();
      if (figures.length > 0) expect(figures.slice(0, 2).map(ungrouped)).toEqual([vested, unvested].map(normal));
    }
    expect(holdings.length).toBeGreaterThan(0);
  }

  test.each(SEEDS)("company %d: the page, its file and the portal say what the API says", async (seed) => {
    const random = new Random(seed);
    const orgId = await server.newOrganization(`Company ${seed}`);
    const ask = asking(server.url, await server.key("ADMIN", orgId));
    const holders = await makeCompany(ask, random);
    const { data: table } = (await ask("GET", "/cap-table")) as { data: CapTable };
    expect(table.stakeholders.length).toBeGreaterThan(0);
    await visiting((visitor) => overview(visitor, orgId, table));
    const [holder] = table.stakeholders;
    await visiting((visitor) => portal(visitor, orgId, String(holder?.id ?? holders[0])), { width: 375 });
  });
});

test("a figure that is off by its last digit would be found", () => {
  expect(ungrouped("999,999,999,999,999.1234567891")).toBe("999999999999999.1234567891");
  expect(ungrouped("999,999,999,999,999.1234567891")).not.toBe(normal("999999999999999.1234567892"));
  expect(ungrouped("–")).toBe("0");
  expect(cellsOf('"a ""b"", c",1.5,2')).toEqual(['a "b", c', "1.5", "2"]);
});
