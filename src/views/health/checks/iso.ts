// Health checks of open incentive stock options against the tax code's conditions. Pure.
import { parseDecimal, ZERO } from "../../../kernel/numbers/decimal.ts";
import { counted } from "../../../kernel/text/text.ts";
import { CountingClasses } from "../../../ledger/rules/required-authorization.ts";
import { priceInSharesOf } from "../../../ledger/splits/dated-splits.ts";
import { hasTenthOfVotes, isoFaults } from "../../../ledger/warnings/iso-rules.ts";
import { votingClasses } from "../../../ledger/warnings/iso-warnings.ts";
import { Valuations409A } from "../../../ledger/warnings/valuation-in-force.ts";
import { type Found, foundOf, securitySubject } from "../finding.ts";
import type { Company } from "../health-company.ts";

type Code = ReturnType<typeof isoFaults>[number]["code"];
type Open = Company["register"]["open"][number];

/** The open incentive options with a fault, by its code, found once for each report. */
const known = new WeakMap<Company, ReadonlyMap<Code, readonly Open[]>>();

function optionsByCode(company: Company): ReadonlyMap<Code, readonly Open[]> {
  const found = known.get(company) ?? findFaults(company);
  known.set(company, found);
  return found;
}

function findFaults(company: Company): ReadonlyMap<Code, readonly Open[]> {
  const { register, splits, today } = company;
  const options = register.open.filter(({ type, optionType }) => type === "STOCK_OPTION" && optionType === "ISO");
  if (options.length === 0) return new Map();
  const [valuations, counting] = [
    new Valuations409A(company.valuations),
    new CountingClasses(company.classes, company.plans),
  ];
  const holders = new Map(
    company.holders.map(({ id, displayName, relationships }) => [
      id,
      { displayName, relationships: JSON.parse(relationships) },
    ]),
  );
  const plans = new Map(company.plans.map((row) => [row.id, row]));
  const tenths = withTenth(company, new Set(options.map(({ stakeholderId }) => stakeholderId)));
  const found = new Map<Code, Open[]>();
  for (const option of options) {
    const { stakeholderId, expirationDate, exercisePrice: strike } = option;
    const { grantDate } = register.first(option);
    const holder = holders.get(stakeholderId ?? "");
    const valuation = valuations.inForce(counting.ofOption(option), grantDate);
    const facts = {
      ...{ grantDate, expirationDate, strike, asOf: today },
      fairValue: valuation && priceInSharesOf(option, valuation, splits),
      holder: holder ?? null,
      hasTenth: tenths.has(stakeholderId ?? ""),
      plan: plans.get(option.equityPlanId ?? "") ?? null,
    };
    for (const code of new Set(isoFaults(facts).map((fault) => fault.code))) {
      const others = found.get(code);
      if (others) others.push(option);
      else found.set(code, [option]);
    }
  }
  return found;
}

/** Which of some holders have more than a tenth of all votes. */
function withTenth({ classes, register }: Company, holders: ReadonlySet<string | null>): ReadonlySet<string> {
  const own = new Map<string, Map<string, bigint>>();
  for (const { type, stakeholderId, stockClassId, quantity } of register.open) {
    if (type !== "STOCK" || stakeholderId === null || stockClassId === null || !holders.has(stakeholderId)) continue;
    const held = own.get(stakeholderId) ?? new Map<string, bigint>();
    held.set(stockClassId, (held.get(stockClassId) ?? ZERO) + parseDecimal(quantity));
    own.set(stakeholderId, held);
  }
  const voting = votingClasses(classes);
  return new Set([...own].filter(([, held]) => hasTenthOfVotes(voting, held)).map(([id]) => id));
}

/** A check for one code; `words` say it of so many incentive options. */
function check(code: Code, words: (options: string, isOne: boolean) => string) {
  return (company: Company): Found | null => {
    const found = optionsByCode(company).get(code) ?? [];
    return foundOf(found.map(securitySubject), (count) =>
      words(counted(count, "incentive option", "incentive options"), count === 1),
    );
  };
}

/** Held by a stakeholder whose recorded relationships do not include employee. */
export const isoToNonEmployees = check("iso-to-non-employee", (options, isOne) => {
  return `${options} ${isOne ? "is" : "are"} held by a stakeholder who is not recorded as an employee.`;
});

export const isoTerms = check("iso-term", (options, isOne) => {
  return `${options} ${isOne ? "expires" : "expire"} later than ten years after the grant.`;
});

export const isoTenPercentHolders = check("iso-ten-percent-holder", (options, isOne) => {
  const [is, has] = isOne ? ["is", "has"] : ["are", "have"];
  const terms = `${has} a strike below 110 % of the 409A valuation or an expiry after five years`;
  return `${options} ${is} held by a stakeholder with more than 10 % of all votes, and ${terms}.`;
});

export const isoPlanApprovals = check("iso-plan-approval", (options, isOne) => {
  const is = isOne ? "is" : "are";
  return `${options} ${is} of a plan that stockholders did not approve within twelve months of its adoption.`;
});

export const isoPlanAges = check("iso-plan-age", (options, isOne) => {
  return `${options} ${isOne ? "was" : "were"} granted more than ten years after the plan was adopted or approved.`;
});
