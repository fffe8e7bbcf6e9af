// A second opinion on dates to come: from the API's answers alone, by walking days one by one, with days counted by
// `Date`. It shares no code with src/.
import type { TestServer } from "../../kit/service.ts";

// biome-ignore lint/suspicious/noExplicitAny: answers of every shape
type Any = any;

/** What was answered of a company. */
interface Answers {
  readonly organization: Any;
  readonly securities: readonly Any[];
  readonly holders: readonly Any[];
  readonly classes: readonly Any[];
  readonly plans: readonly Any[];
  readonly valuations: readonly Any[];
  readonly approvals: readonly Any[];
  readonly milestones: readonly Any[];
  readonly entries: readonly Any[];
  readonly vesting: ReadonlyMap<string, Any>;
}

function plus(day: string, { days = 0, months = 0 }: { days?: number; months?: number }): string {
  const [year, month, date] = day.split("-").map(Number) as [number, number, number];
  const last = new Date(Date.UTC(year, month + months, 0)).getUTCDate();
  const moved = new Date(Date.UTC(year, month - 1 + months, months === 0 ? date : Math.min(date, last)));
  return new Date(moved.getTime() + days * 86_400_000).toISOString().slice(0, 10);
}

/** Reads every list of an organization to its end. */
export async function readAnswers(server: TestServer, orgId: string): Promise<Answers> {
  const call = async (path: string) => (await server.api("GET", path, undefined, { orgId })).json;
  const all = async (path: string, key: "items" | "data") => {
    const found: Any[] = [];
    for (let cursor: string | null = ""; cursor !== null; ) {
      const page: Any = await call(`${path}?limit=100${cursor === "" ? "" : `&cursor=${cursor}`}`);
      found.push(...page[key]);
      cursor = page.nextCursor;
    }
    return found;
  };
  const securities = await all("/securities", "items");
  const vesting = new Map<string, Any>();
  for (const { id, type } of securities) {
    if (type !== "CONVERTIBLE") vesting.set(id, await call(`/securities/${id}/vesting`));
  }
  return {
    organization: await call("/organization").then((json) => json.data ?? json),
    securities,
    holders: await all("/stakeholders", "items"),
    classes: await all("/share-classes", "items"),
    plans: await all("/equity-plans", "items"),
    valuations: await all("/valuations", "items"),
    approvals: await all("/approvals", "data"),
    milestones: await all("/vesting-milestones", "items"),
    entries: await all("/transactions", "data"),
    vesting,
  };
}

/** The ids of the dates from a day through another. */
export function datesByReading(answers: Answers, from: string, to: string): string[] {
  const found: string[] = [];
  for (let day = from; day <= to; day = plus(day, { days: 1 })) found.push(...idsOn(answers, day));
  return found.sort();
}

function idsOn(answers: Answers, day: string): string[] {
  const ids: string[] = [];
  const say = (kind: string, id: string) => void ids.push(`${kind}:${id}:${day}`);
  for (const security of answers.securities.filter(({ status }) => status === "ACTIVE")) {
    const { id, type, expirationDate, convertibleTerms } = security;
    if ((type === "STOCK_OPTION" || type === "WARRANT") && expirationDate === day) {
      say(type === "STOCK_OPTION" && hasLeft(answers, security) ? "exercise-window-ends" : "security-expires", id);
    }
    if (type === "CONVERTIBLE" && convertibleTerms?.maturityDate === day) say("convertible-matures", id);
    const { first, last } = ends(answers, security);
    if (first === day) say("vesting-cliff", id);
    if (last === day) say("vesting-complete", id);
  }
  for (const { id } of answers.classes) {
    const inForce = valuationInForce(answers, id, day);
    if (inForce && !isInForce(inForce, plus(day, { days: 1 }))) say("valuation-ends", inForce.id);
  }
  for (const { id, expirationDate } of answers.plans) if (expirationDate === day) say("plan-expires", id);
  for (const { id, dueDate, state } of answers.approvals) {
    if (dueDate === day && (state === "Draft" || state === "Submitted")) say("approval-due", id);
  }
  for (const { id, targetDate, status } of answers.milestones) {
    if (targetDate === day && status === "PENDING") say("milestone-due", id);
  }
  for (const id of electionsDue(answers, day)) say("section-83b", id);
  return ids;
}

function hasLeft({ holders }: Answers, { stakeholderId }: Any): boolean {
  const holder = holders.find(({ id }) => id === stakeholderId);
  if (holder?.status === "FORMER") return true;
  const had = (words: string[]) => words.some((word) => holder?.relationships.includes(word));
  return had(["EX_EMPLOYEE", "EX_ADVISOR", "EX_CONSULTANT"]) && !had(["EMPLOYEE", "ADVISOR", "CONSULTANT"]);
}

/** The first and the last day of a grant's schedule, where it has one. */
function ends({ vesting, entries }: Answers, { id, grantDate }: Any): { first?: string; last?: string } {
  const told = vesting.get(id);
  if (!told) return {};
  const isMade = entries.some(({ metadata }) => metadata?.newSecurityId === id);
  const days: string[] = told.events.map(({ date }: Any) => date).sort();
  const counted = isMade ? days.filter((day) => day > grantDate) : days;
  const last = counted.at(-1);
  if (last === undefined || last <= grantDate) return {};
  return { first: counted[0] as string, last };
}

function isInForce({ effectiveDate, expirationDate }: Any, day: string): boolean {
  return (
    effectiveDate <= day && day <= plus(effectiveDate, { months: 12 }) && !(expirationDate && expirationDate < day)
  );
}

function valuationInForce({ valuations }: Answers, stockClassId: string, day: string): Any {
  const those = valuations.filter((each) => {
    const isOne = each.type === "409A" && (each.status === "APPROVED" || each.status === "EXPIRED");
    return isOne && each.stockClassId === stockClassId && isInForce(each, day);
  });
  // Lists are newest first: of several of one day the last made.
  return those.sort(
    (one, other) =>
      (one.effectiveDate > other.effectiveDate ? -1 : 1) * Number(one.effectiveDate !== other.effectiveDate),
  )[0];
}

/** Stock whose shares all vest by the month from a start vests wholly so many months after it. */
function electionsDue({ organization, entries, securities, holders }: Answers, day: string): string[] {
  if (organization.countryOfFormation !== "US") return [];
  const retracted = new Set(entries.filter(({ type }) => type === "STOCK_RETRACTION").map((each) => each.securityId));
  return entries.flatMap(({ type, securityId, effectiveDate, metadata, stakeholderId }): string[] => {
    const isIssue = type === "STOCK_ISSUANCE" && !metadata?.directEdit && !metadata?.conversion;
    const isEarly = type.endsWith("_EXERCISE") && metadata?.earlyExercise === true;
    const id = isIssue ? securityId : isEarly ? metadata.newSecurityId : null;
    const security = securities.find((each) => each.id === id);
    if (!security || retracted.has(id) || plus(effectiveDate, { days: 30 }) !== day) return [];
    const source = isEarly ? securities.find((each) => each.id === securityId) : security;
    const start = source.vestingStartDate ?? source.grantDate;
    const isUnvested = source.vestingTermsId !== null && effectiveDate < plus(start, { months: 48 });
    const holder = holders.find((each) => each.id === stakeholderId);
    return isUnvested && holder?.type === "INDIVIDUAL" ? [id] : [];
  });
}
