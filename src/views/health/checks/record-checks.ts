// Health checks of holders, vesting, approvals and documents. Pure.
import { dayNumber } from "../../../kernel/date.ts";
import { formatDecimal } from "../../../kernel/numbers/decimal.ts";
import { counted } from "../../../kernel/text/text.ts";
import { type Found, foundOf, SUBJECTS_MAX, type Subject, securitySubject } from "../finding.ts";
import type { Company } from "../health-company.ts";

function holderSubject({ id, displayName }: { readonly id: string; readonly displayName: string }): Subject {
  return { resourceType: "stakeholder", id, name: displayName };
}

/** Holders who are FORMER, and hold shares that have not vested. */
export function formerWithUnvested({ holders, vesting }: Company): Found | null {
  const found = holders.filter(({ id }) => vesting.formerWithUnvested.has(id));
  return foundOf(found.map(holderSubject), (count) => {
    const hold = counted(count, "former stakeholder holds", "former stakeholders hold");
    return `${hold} unvested shares or options: cancel the options or repurchase the shares.`;
  });
}

/** Stock whose vesting stopped, and that was neither repurchased nor vested nor resumed since. */
export function stoppedUnvested({ register, vesting, today }: Company): Found | null {
  const stops = new Map(vesting.stopped.map((each) => [each.securityId, each]));
  const found = register.open.filter(({ id }) => stops.has(id));
  const subjects = found.map(securitySubject);
  return foundOf(subjects, (count) => {
    const told = subjects.slice(0, SUBJECTS_MAX).flatMap(({ id, name }) => {
      const stop = stops.get(id);
      if (!stop) return [];
      const days = counted(dayNumber(today) - dayNumber(stop.on), "day", "days");
      return [`${name}, ${formatDecimal(stop.quantity)} unvested for ${days}`];
    });
    const have = counted(count, "certificate has", "certificates have");
    const more = count > told.length ? `; and ${count - told.length} more` : "";
    return `${have} shares whose vesting stopped; repurchase them or let them vest: ${told.join("; ")}${more}.`;
  });
}

/** Open securities whose vesting terms cannot begin, because no start is on record. */
export function vestingStartsMissing({ register, vesting }: Company): Found | null {
  const found = register.open.filter(({ id }) => vesting.waitingForStart.has(id));
  return foundOf(found.map(securitySubject), (count) => {
    const have = counted(count, "security has", "securities have");
    return `${have} vesting terms but no vesting start: shares that wait for it will never vest.`;
  });
}

/** Holders without an e-mail address. */
export function holdersWithoutEmail({ holders, register }: Company): Found | null {
  const holding = new Set(register.open.map(({ stakeholderId }) => stakeholderId));
  const found = holders.filter(({ id, email }) => email === null && holding.has(id));
  return foundOf(found.map(holderSubject), (count) => {
    return `${counted(count, "holder has", "holders have")} no e-mail address on record.`;
  });
}

/** Holders with the same legal name. */
export function holdersOfOneName({ holders }: Company): Found | null {
  const named = Map.groupBy(holders, ({ nameKey }) => nameKey);
  const found = holders.filter(({ nameKey }) => (named.get(nameKey)?.length ?? 0) > 1);
  return foundOf(found.map(holderSubject), (count) => {
    return `${counted(count, "stakeholder bears", "stakeholders bear")} the legal name of another: look whether they are one.`;
  });
}

/** Documents known only by a path. */
export function documentsWithoutContent({ documents }: Company): Found | null {
  const subjects = documents.map(({ id, title, path }): Subject => {
    return { resourceType: "document", id, name: title ?? path ?? id };
  });
  return foundOf(subjects, (count) => {
    const are = counted(count, "document is", "documents are");
    return `${are} recorded without a file: upload it, or give its address.`;
  });
}

/** Approvals that wait for a decision. */
export function approvalsWaiting({ approvals }: Company): Found | null {
  const found = approvals.filter(({ state }) => state === "Submitted");
  const subjects = found.map(({ id, title }): Subject => ({ resourceType: "approval", id, name: title }));
  return foundOf(subjects, (count) => `${counted(count, "approval waits", "approvals wait")} for a decision.`);
}

/** Holders have been asked for this long, and have not accepted. */
const WAITING_DAYS = 30;

/** Open securities whose holders were asked to accept them more than 30 days ago. */
export function acceptancesWaiting({ waiting, today }: Company): Found | null {
  const found = waiting.filter(({ askedOn }) => dayNumber(today) - dayNumber(askedOn) > WAITING_DAYS);
  return foundOf(found.map(securitySubject), (count) => {
    const wait = counted(count, "security waits", "securities wait");
    return `${wait} for the holder's acceptance, asked for more than ${WAITING_DAYS} days ago.`;
  });
}

/** An organization without a name. */
export function organizationUnnamed({ organization: { id, legalName, isNamed } }: Company): Found | null {
  const subjects: Subject[] = isNamed === 1 ? [] : [{ resourceType: "organization", id, name: legalName }];
  return foundOf(subjects, () => "The organization has no name yet.");
}
