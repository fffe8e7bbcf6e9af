// Texts of the panel "What will change" beside a guided action.

import { countText, dayText, percentText, quantityText } from "../../locale.ts";
import { REGISTER } from "../register-words.ts";

const TYPES: Readonly<Record<string, string>> = {
  STOCK: "shares",
  STOCK_OPTION: "options",
  WARRANT: "warrant",
  CONVERTIBLE: "convertible",
};
const MEMBERS: Readonly<Record<string, string>> = {
  status: "status",
  expirationDate: "expires",
  vestingStartDate: "vesting starts",
  vestingStoppedOn: "vesting stopped on",
  relationships: "relationships",
  exercisePrice: "strike price",
  pricePerShare: "price",
};

export const PREVIEW = {
  title: "What will change",
  checked: "Checked",
  checking: "Checking…",
  waiting: "Fill in the form to preview its changes. Nothing is recorded until you submit it.",
  nothing: "The cap table does not change.",
  since: "changed since",
  sinceTitle: "The ledger changed while this form was open",
  sinceWords: "What is marked differs from what you saw before.",
  notRecorded: "Nothing was recorded yet. Check what is marked, then record once more.",
  now: "Now",
  after: "After",
  ownership: "Fully diluted ownership",
  outstanding: "Outstanding",
  fullyDiluted: "Fully diluted",
  figures: "Figures",
  unknown: "Class or plan",
  holder: "Holder",
  security: "Security",
  limits: {
    currentSharesAuthorized: (name: string) => `${name} authorized`,
    issued: (name: string) => `${name} issued`,
    totalSharesReserved: (name: string) => `${name} reserve`,
    currentSharesReserved: (name: string) => `${name} available`,
  },
  member: (name: string, member: string) => `${name} ${MEMBERS[member] ?? member}`,
  price: (name: string) => `${name} price`,
  common: "common",
  converts: (name: string, into: string) => `${name} into ${into}`,
  certificate: (certificate: string | null, holder: string | undefined) =>
    [certificate ?? "Security", holder].filter(Boolean).join(", "),
  made: (type: string, holder: string | undefined) => `New ${TYPES[type] ?? "security"}${holder ? `, ${holder}` : ""}`,
  remain: (left: string, limit: string, isPlan: boolean) =>
    `${quantityText(left)} of ${quantityText(limit)} ${isPlan ? "reserved" : "authorized"} remain`,
  over: (by: string, limit: string, isPlan: boolean) =>
    `${quantityText(by)} above the ${quantityText(limit)} ${isPlan ? "reserved" : "authorized"}`,
  entry: (type: string) => `Ledger entry ${type}`,
  dated: (day: string) => `dated ${dayText(day)}`,
  summary: (count: number) =>
    count === 1 ? "Checked. One figure changes." : `Checked. ${countText(count)} figures change.`,
  further: (count: number) => (count === 1 ? "One more figure" : `${countText(count)} more figures`),
  refused: "This cannot be recorded",
  warnings: "Allowed, with warnings",
  cost: "Exercise cost",
  share: (before: string, after: string) => `${percentText(before)} to ${percentText(after)}`,
  vested: "Vested",
  unvested: "Unvested",
  vestedAfter: "Vested after",
  vesting: "Vesting",
  vestingNow: "Vesting now",
  vestingAfter: "Vesting after",
  roundedAway: "Removed by rounding",
  roundedUp: "Added by rounding",
  statuses: { ...REGISTER.securityStatuses, ...REGISTER.holderStatuses } as Readonly<Record<string, string>>,
} as const;
