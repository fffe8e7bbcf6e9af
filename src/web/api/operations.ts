// The ledger's operations: title, group, and the types of security that one takes. Made by .ci/api-types.ts of
// src/ledger/operations/; change those, and run `bun run typecheck`.

export const OPERATIONS = {
  "issue-shares": { title: "Issue shares", group: "issue" },
  "issue-options": { title: "Grant options", group: "issue" },
  transfer: {
    title: "Transfer a security",
    group: "holdings",
    securityTypes: ["STOCK", "STOCK_OPTION", "WARRANT", "CONVERTIBLE"],
  },
  exercise: { title: "Exercise an option or a warrant", group: "holdings", securityTypes: ["STOCK_OPTION", "WARRANT"] },
  cancel: {
    title: "Cancel a security",
    group: "holdings",
    securityTypes: ["STOCK", "STOCK_OPTION", "WARRANT", "CONVERTIBLE"],
  },
  "issue-warrant": { title: "Issue a warrant", group: "issue" },
  "issue-convertible": { title: "Issue a convertible", group: "issue" },
  convert: { title: "Convert a security into stock", group: "holdings", securityTypes: ["CONVERTIBLE", "STOCK"] },
  repurchase: { title: "Repurchase stock", group: "holdings", securityTypes: ["STOCK"] },
  retract: {
    title: "Retract a security",
    group: "holdings",
    securityTypes: ["STOCK", "STOCK_OPTION", "WARRANT", "CONVERTIBLE"],
  },
  split: { title: "Split a class of stock", group: "limits" },
  "adjust-authorized": { title: "Adjust a class's authorized shares", group: "limits" },
  "adjust-reserve": { title: "Adjust a plan's reserve", group: "limits" },
  "adjust-conversion": { title: "Adjust how a class converts", group: "limits" },
  "start-vesting": { title: "Start vesting", group: "vesting", securityTypes: ["STOCK", "STOCK_OPTION", "WARRANT"] },
  "accelerate-vesting": {
    title: "Accelerate vesting",
    group: "vesting",
    securityTypes: ["STOCK", "STOCK_OPTION", "WARRANT"],
  },
  "record-vesting-event": {
    title: "Record a vesting event",
    group: "vesting",
    securityTypes: ["STOCK", "STOCK_OPTION", "WARRANT"],
  },
  "terminate-service": { title: "End a person's service", group: "holdings" },
} as const;
