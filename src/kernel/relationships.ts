// Stakeholder relationships: employee, investor and the rest, and those that a leaver gets.

/** Every relationship. */
export const RELATIONSHIPS = [
  "ADVISOR",
  "BOARD_MEMBER",
  "CONSULTANT",
  "EMPLOYEE",
  "EX_ADVISOR",
  "EX_CONSULTANT",
  "EX_EMPLOYEE",
  "EXECUTIVE",
  "FOUNDER",
  "INVESTOR",
  "OTHER",
] as const;
type Relationship = (typeof RELATIONSHIPS)[number];

const LEFT: ReadonlyMap<string, Relationship> = new Map([
  ["EMPLOYEE", "EX_EMPLOYEE"],
  ["ADVISOR", "EX_ADVISOR"],
  ["CONSULTANT", "EX_CONSULTANT"],
] as const);

/** A leaver's relationships after the end of service, each once. */
export function afterService(relationships: readonly string[]): string[] {
  return [...new Set(relationships.map((each) => LEFT.get(each) ?? each))];
}
