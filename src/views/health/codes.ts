// Codes of the health report, in its order, problems first; and how bad findings are, and where something is done about
// them. Pure.

/** Every code, in the order of the report. */
export const CODES = [
  "class-over-authorized",
  "plan-over-reserve",
  "security-without-holder",
  "certificate-duplicate",
  "token-failed",
  "chain-differs",
  "valuation-expired",
  "valuation-missing",
  "approval-missing",
  "option-past-expiration",
  "former-with-unvested",
  "stopped-unvested",
  "strike-below-valuation",
  "vesting-start-missing",
  "document-without-content",
  "preferred-without-preference",
  "convertible-without-terms",
  "admin-without-second-factor",
  "key-of-former-member",
  "key-expires-soon",
  "backup-old",
  "timestamp-old",
  "mail-failing",
  "class-short-of-reserved",
  "plan-expired",
  "expires-before-grant",
  "day-differs",
  "iso-to-non-employee",
  "iso-term",
  "iso-ten-percent-holder",
  "iso-plan-approval",
  "iso-plan-age",
  "plan-without-class",
  "unnamed-organization",
  "key-without-expiry",
  "holder-without-email",
  "ratio-not-one",
  "same-name",
  "approval-waiting",
  "acceptance-waiting",
] as const;

/** What a finding can be about. */
export type Code = (typeof CODES)[number];

/** How bad a finding is. */
export const SEVERITIES = ["problem", "warning", "note"] as const;
/** The dashboard's pages on which something can be done about a finding. */
export const PAGES = [
  "stakeholders",
  "securities",
  "classes-and-plans",
  "approvals",
  "valuations",
  "documents",
  "settings",
] as const;
