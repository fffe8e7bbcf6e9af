// Checks of the health report, a line for each code: severity, the page for the remedy, and the check. Pure.
import {
  datedOtherwise,
  expireBeforeGrant,
  grantedAfterPlan,
  strikesBelowValuation,
  valuationsExpired,
  valuationsMissing,
} from "./checks/grant-checks.ts";
import { isoPlanAges, isoPlanApprovals, isoTenPercentHolders, isoTerms, isoToNonEmployees } from "./checks/iso.ts";
import {
  classesOverAuthorized,
  classesShortOfReserved,
  plansOverReserve,
  plansWithoutClass,
  ratiosNotOne,
} from "./checks/limits.ts";
import {
  acceptancesWaiting,
  approvalsWaiting,
  documentsWithoutContent,
  formerWithUnvested,
  holdersOfOneName,
  holdersWithoutEmail,
  organizationUnnamed,
  stoppedUnvested,
  vestingStartsMissing,
} from "./checks/record-checks.ts";
import {
  approvalsMissing,
  convertiblesWithoutTerms,
  duplicateCertificates,
  optionsPastExpiration,
  preferredWithoutPreference,
  securitiesWithoutHolder,
} from "./checks/securities.ts";
import {
  adminKeysWithoutEnd,
  adminsWithoutSecondFactor,
  backupsOld,
  chainDiffers,
  keysEnding,
  keysOfFormerMembers,
  mailsFailing,
  stampsOld,
  tokensFailed,
} from "./checks/service.ts";
import { CODES, type Code, type PAGES, type SEVERITIES } from "./codes.ts";
import { type Found, SUBJECTS_MAX, type Subject } from "./finding.ts";
import type { Company } from "./health-company.ts";

interface Check {
  readonly severity: (typeof SEVERITIES)[number];
  readonly action: (typeof PAGES)[number] | null;
  readonly look: (company: Company) => Found | null;
}

const CHECKS: Readonly<Record<Code, Check>> = {
  "class-over-authorized": { severity: "problem", action: "classes-and-plans", look: classesOverAuthorized },
  "plan-over-reserve": { severity: "problem", action: "classes-and-plans", look: plansOverReserve },
  "security-without-holder": { severity: "problem", action: "securities", look: securitiesWithoutHolder },
  "certificate-duplicate": { severity: "problem", action: "securities", look: duplicateCertificates },
  "token-failed": { severity: "problem", action: "classes-and-plans", look: tokensFailed },
  "chain-differs": { severity: "problem", action: "classes-and-plans", look: chainDiffers },
  "valuation-expired": { severity: "warning", action: "valuations", look: valuationsExpired },
  "valuation-missing": { severity: "warning", action: "valuations", look: valuationsMissing },
  "approval-missing": { severity: "warning", action: "approvals", look: approvalsMissing },
  "option-past-expiration": { severity: "warning", action: "securities", look: optionsPastExpiration },
  "former-with-unvested": { severity: "warning", action: "stakeholders", look: formerWithUnvested },
  "stopped-unvested": { severity: "warning", action: "securities", look: stoppedUnvested },
  "strike-below-valuation": { severity: "warning", action: "valuations", look: strikesBelowValuation },
  "vesting-start-missing": { severity: "warning", action: "securities", look: vestingStartsMissing },
  "document-without-content": { severity: "warning", action: "documents", look: documentsWithoutContent },
  "preferred-without-preference": {
    severity: "warning",
    action: "classes-and-plans",
    look: preferredWithoutPreference,
  },
  "convertible-without-terms": { severity: "warning", action: "securities", look: convertiblesWithoutTerms },
  "admin-without-second-factor": { severity: "warning", action: "settings", look: adminsWithoutSecondFactor },
  "key-of-former-member": { severity: "warning", action: "settings", look: keysOfFormerMembers },
  "key-expires-soon": { severity: "warning", action: "settings", look: keysEnding },
  "backup-old": { severity: "warning", action: "settings", look: backupsOld },
  "timestamp-old": { severity: "warning", action: "settings", look: stampsOld },
  "mail-failing": { severity: "warning", action: "settings", look: mailsFailing },
  "class-short-of-reserved": { severity: "warning", action: "classes-and-plans", look: classesShortOfReserved },
  "plan-expired": { severity: "warning", action: "securities", look: grantedAfterPlan },
  "expires-before-grant": { severity: "warning", action: "securities", look: expireBeforeGrant },
  "day-differs": { severity: "warning", action: "securities", look: datedOtherwise },
  "iso-to-non-employee": { severity: "warning", action: "securities", look: isoToNonEmployees },
  "iso-term": { severity: "warning", action: "securities", look: isoTerms },
  "iso-ten-percent-holder": { severity: "warning", action: "securities", look: isoTenPercentHolders },
  "iso-plan-approval": { severity: "warning", action: "classes-and-plans", look: isoPlanApprovals },
  "iso-plan-age": { severity: "warning", action: "classes-and-plans", look: isoPlanAges },
  "plan-without-class": { severity: "warning", action: "classes-and-plans", look: plansWithoutClass },
  "unnamed-organization": { severity: "note", action: "settings", look: organizationUnnamed },
  "key-without-expiry": { severity: "note", action: "settings", look: adminKeysWithoutEnd },
  "holder-without-email": { severity: "note", action: "stakeholders", look: holdersWithoutEmail },
  "ratio-not-one": { severity: "note", action: "classes-and-plans", look: ratiosNotOne },
  "same-name": { severity: "note", action: "stakeholders", look: holdersOfOneName },
  "approval-waiting": { severity: "note", action: "approvals", look: approvalsWaiting },
  "acceptance-waiting": { severity: "note", action: "securities", look: acceptancesWaiting },
};

/** One finding: all that there is of one code. */
export interface Finding {
  readonly code: Code;
  readonly severity: Check["severity"];
  /** How many records it is about. */
  readonly count: number;
  /** The first of them. */
  readonly subjects: readonly Subject[];
  readonly detail: string;
  readonly action: Check["action"];
}

/** Everything that stands out in a company, problems first. */
export function findingsOf(company: Company): readonly Finding[] {
  return CODES.flatMap((code): Finding[] => {
    const { severity, action, look } = CHECKS[code];
    const found = look(company);
    if (found === null) return [];
    const { count, subjects, detail } = found;
    return [{ code, severity, count, subjects: subjects.slice(0, SUBJECTS_MAX), detail, action }];
  });
}
