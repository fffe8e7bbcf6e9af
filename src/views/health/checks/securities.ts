// Checks of securities by themselves, and of the terms of preferred classes. Pure.
import { counted } from "../../../kernel/text/text.ts";
import { NOT_RECORDED, readTerms } from "../../../storage/records/terms-form.ts";
import type { Register, SecurityRow } from "../check-register.ts";
import { classSubject, type Found, foundOf, named, securitySubject } from "../finding.ts";
import type { Company } from "../health-company.ts";

/** Open securities without a holder. */
export function securitiesWithoutHolder({ register }: Company): Found | null {
  const found = register.open.filter(({ stakeholderId }) => stakeholderId === null);
  return foundOf(found.map(securitySubject), (count) => {
    const have = counted(count, "open security has", "open securities have");
    return `${have} no holder: the shares count in the totals and belong to no stakeholder.`;
  });
}

/**
 * Securities with a number that another one has too: several open ones, or some of different families. The rest of a
 * security, or one made from it, may have its number once that one is closed.
 */
export function duplicateCertificates({ register }: Company): Found | null {
  const [once, twice] = [new Set<string>(), new Set<string | null>()];
  for (const { certificateId } of register.kept) {
    if (certificateId === null) continue;
    if (once.has(certificateId)) twice.add(certificateId);
    else once.add(certificateId);
  }
  // Hardly any number is there twice: only rows of those that are get grouped.
  const candidates = register.kept.filter(({ certificateId }) => twice.has(certificateId));
  const byNumber = Map.groupBy(candidates, ({ certificateId }) => certificateId);
  const shared = [...byNumber].filter(([, rows]) => isConfusing(register, rows));
  const numbers = new Set(shared.map(([number]) => number));
  const found = register.kept.filter(({ certificateId }) => numbers.has(certificateId));
  return foundOf(found.map(securitySubject), (count) => {
    const are = counted(numbers.size, "certificate number is", "certificate numbers are");
    return `${are} borne by more than one security, ${count} in all: ${named([...numbers].map(String))}.`;
  });
}

function isConfusing(register: Register, rows: readonly SecurityRow[]): boolean {
  if (rows.filter(({ status }) => status === "ACTIVE").length > 1) return true;
  return new Set(rows.map((row) => register.first(row).id)).size > 1;
}

/** Open securities with neither a board approval date nor a locked approval, of their own or of what they came of. */
export function approvalsMissing({ register, approvals }: Company): Found | null {
  const locked = new Set(approvals.filter(({ state }) => state === "Locked").map(({ id }) => id));
  const isApproved = ({ boardApprovalDate, approvalId }: SecurityRow) =>
    boardApprovalDate !== null || locked.has(approvalId ?? "");
  const found = register.open.filter((security) => !register.line(security).some(isApproved));
  return foundOf(found.map(securitySubject), (count) => {
    const have = counted(count, "open security has", "open securities have");
    return `${have} neither a board approval date nor a locked approval.`;
  });
}

/** Open options after their last day. */
export function optionsPastExpiration({ register, today }: Company): Found | null {
  const found = register.open.filter(({ type, expirationDate }) => {
    return type === "STOCK_OPTION" && expirationDate !== null && expirationDate < today;
  });
  return foundOf(found.map(securitySubject), (count) => {
    return `${counted(count, "option is", "options are")} past expiration and still open: cancel what has lapsed.`;
  });
}

/** Open convertibles without recorded conversion terms. */
export function convertiblesWithoutTerms({ register }: Company): Found | null {
  const found = register.open.filter((security) => security.type === "CONVERTIBLE" && !hasTerms(security));
  return foundOf(found.map(securitySubject), (count) => {
    const have = counted(count, "convertible has", "convertibles have");
    return `${have} no terms on record: how they convert in a financing is unknown.`;
  });
}

/** Whether any of its triggers says how it converts. A SAFE and a note convert by their kind. */
function hasTerms({ convertibleTerms }: SecurityRow): boolean {
  if (convertibleTerms === null) return false;
  const { triggers } = readTerms(convertibleTerms);
  return triggers.some(({ mechanism }) => mechanism.type !== "CUSTOM" || mechanism.description !== NOT_RECORDED);
}

/** Preferred classes with an unknown liquidation preference, because its multiple or the price is missing. */
export function preferredWithoutPreference({ classes }: Company): Found | null {
  const found = classes.filter(({ classType, liquidationPreferenceMultiple: multiple, pricePerShare }) => {
    return classType === "PREFERRED" && (multiple === null || pricePerShare === null);
  });
  return foundOf(found.map(classSubject), (count) => {
    const have = counted(count, "preferred class has", "preferred classes have");
    return `${have} no liquidation preference on record: add the multiple and the price per share.`;
  });
}
