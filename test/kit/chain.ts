// The hash chains recomputed from what the API answers, by a recipe written down a second time, so that an error would
// have to be made twice.
import { createHash } from "node:crypto";

type Members = Readonly<Record<string, unknown>>;

/** The members of a row of the log that its hash covers. */
const LOG_MEMBERS = [
  "id",
  "orgId",
  "sequence",
  "at",
  "actor",
  "apiKeyId",
  "accountId",
  "actorName",
  "requestId",
  "method",
  "path",
  "resourceType",
  "resourceId",
  "before",
  "after",
  "previousHash",
];

/** What is wrong with a log as `GET /audit-log` answers it, oldest row first; empty when nothing is. */
export function logFaults(rows: readonly Members[]): string[] {
  let previous = "0".repeat(64);
  return rows.flatMap((row, index) => {
    const members = Object.fromEntries(LOG_MEMBERS.map((name) => [name, row[name]]));
    const faults = [
      ...(row.sequence === index + 1 ? [] : [`row ${index + 1} says that it is ${row.sequence}`]),
      ...(row.previousHash === previous ? [] : [`row ${row.sequence} does not follow the one before`]),
      ...(row.hash === digest(members) ? [] : [`row ${row.sequence} is not what was hashed`]),
    ];
    previous = String(row.hash);
    return faults;
  });
}

/** Lowercase hex SHA-256 of a value's canonical JSON. */
function digest(value: unknown): string {
  return createHash("sha256").update(canonical(value)).digest("hex");
}

function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${canonical(member)}`).join(",")}}`;
}
