// The kinds of dates to come, and what a date is called: in full, and without names and numbers.

/** The kinds, in the order in which dates of one day are listed. */
export const DATE_KINDS = [
  "exercise-window-ends",
  "security-expires",
  "valuation-ends",
  "convertible-matures",
  "plan-expires",
  "approval-due",
  "milestone-due",
  "vesting-cliff",
  "vesting-complete",
  "section-83b",
] as const;

/** A kind of date. */
export type DateKind = (typeof DATE_KINDS)[number];

/** The records that dates are of. */
export const DATED_TYPES = ["security", "valuation", "equity-plan", "approval", "vesting-milestone"] as const;

/** A kind of record that has dates. */
export type DatedType = (typeof DATED_TYPES)[number];

/** A date's title: in full, and without the names and numbers of holders, securities and records. */
export interface Titles {
  readonly title: string;
  readonly plainTitle: string;
}

/** The titles of a date of each kind; `what` names the record, `noun` is its kind where securities differ. */
export const TITLES: Readonly<Record<DateKind, (what: string, noun: string) => Titles>> = {
  "exercise-window-ends": (what) => ({
    title: `Last day to exercise option ${what}`,
    plainTitle: "Last day to exercise an option",
  }),
  "security-expires": (what, noun) => ({ title: `${noun} ${what} expires`, plainTitle: `${noun} expires` }),
  "valuation-ends": (what) => ({ title: `409A valuation of ${what} ends`, plainTitle: "409A valuation ends" }),
  "convertible-matures": (what) => ({ title: `Convertible ${what} matures`, plainTitle: "Convertible matures" }),
  "plan-expires": (what) => ({ title: `Equity plan ${what} expires`, plainTitle: "Equity plan expires" }),
  "approval-due": (what) => ({ title: `Approval due: ${what}`, plainTitle: "Approval due" }),
  "milestone-due": (what) => ({ title: `Milestone due: ${what}`, plainTitle: "Milestone due" }),
  "vesting-cliff": (what) => ({ title: `First vesting of ${what}`, plainTitle: "First vesting" }),
  "vesting-complete": (what) => ({ title: `Last vesting of ${what}`, plainTitle: "Last vesting" }),
  "section-83b": (what) => ({
    title: `Section 83(b) election for ${what}: last day, ask your adviser`,
    plainTitle: "Section 83(b) election: last day, ask your adviser",
  }),
};
