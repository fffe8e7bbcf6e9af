// The types of events: what a row of the log tells of a record, and what an entry of the ledger is.
import { TRANSACTION_TYPES } from "../../ledger/types.ts";

/** The nouns of records whose changes are events, by the log's word for them. */
const NOUNS = {
  organization: "organization",
  stakeholder: "stakeholder",
  "share class": "share_class",
  security: "security",
  valuation: "valuation",
  "equity plan": "equity_plan",
  "vesting terms": "vesting_terms",
  "vesting milestone": "vesting_milestone",
  "corporate action": "corporate_action",
  approval: "approval",
  "approval step": "approval_step",
  document: "document",
  "stock legend": "stock_legend",
  scenario: "scenario",
  acceptance: "acceptance",
} as const;

/** Those of who may do what: events for administrators alone. */
const ADMIN_NOUNS = {
  "api key": "api_key",
  member: "member",
  invitation: "invitation",
  "webhook endpoint": "webhook_endpoint",
} as const;

export type EventNoun = (typeof NOUNS)[keyof typeof NOUNS] | (typeof ADMIN_NOUNS)[keyof typeof ADMIN_NOUNS];

const BY_WORD: Readonly<Record<string, EventNoun>> = { ...NOUNS, ...ADMIN_NOUNS };
const OF_ADMIN: ReadonlySet<string> = new Set(Object.values(ADMIN_NOUNS));
const DEEDS = ["created", "updated", "deleted"] as const;

/** What became of a record. */
export type Deed = (typeof DEEDS)[number];

/** The noun of a log row's record; null for a row that is no event. */
export function nounOf(resourceType: string): EventNoun | null {
  return BY_WORD[resourceType] ?? null;
}

/** Whether its changes are for administrators alone. */
export function isOfAdmin(noun: string): boolean {
  return OF_ADMIN.has(noun);
}

/** Methods of the log's own rows that are events of the organization. */
export const ORGANIZATION_DEEDS: ReadonlySet<string> = new Set(["restored", "arrived"]);

const NOUNS_OF_TYPES = [...Object.values(BY_WORD), "transaction"];

/** Every type that an event may have. */
export const EVENT_TYPES: readonly string[] = [
  ...Object.values(BY_WORD).flatMap((noun) => DEEDS.map((deed) => `${noun}.${deed}`)),
  ...[...ORGANIZATION_DEEDS].map((deed) => `organization.${deed}`),
  ...TRANSACTION_TYPES.map((type) => `transaction.${type.toLowerCase()}`),
];

/** What stands for several types. */
export const EVENT_PATTERNS: readonly string[] = ["*", ...NOUNS_OF_TYPES.map((noun) => `${noun}.*`)];

const KNOWN: ReadonlySet<string> = new Set([...EVENT_PATTERNS, ...EVENT_TYPES]);
/** How many types may be asked for at once. */
export const TYPES_MAX = 50;

/** Whether an event of this type is asked for. */
export type IsAsked = (type: string) => boolean;

/** Whether it is a type, `security.*` or `*`. */
export function isTypeName(text: string): boolean {
  return KNOWN.has(text);
}

/** Reads `types`: up to 50, comma-separated; each a type, `security.*` or `*`. Null if one is unknown. */
export function readTypes(text: string | undefined): IsAsked | null {
  if (text === undefined) return () => true;
  const asked = new Set(text.split(","));
  if (asked.size > TYPES_MAX || ![...asked].every((type) => KNOWN.has(type))) return null;
  return asksFor([...asked]);
}

/** Whether events of a type are asked for by these names. */
export function asksFor(names: readonly string[]): IsAsked {
  const asked = new Set(names);
  if (asked.has("*")) return () => true;
  return (type) => asked.has(type) || asked.has(type.replace(/\..*$/, ".*"));
}
