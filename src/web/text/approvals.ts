// Texts of approvals and their steps.
import type { ApiKey, Approval } from "../api/values.ts";
import { countText } from "../locale.ts";
import type { Labels } from "./common.ts";

export const APPROVALS = {
  title: "Approvals",
  loading: "approvals",
  noun: "approval",
  add: "New approval",
  name: "Title",
  kind: "For",
  due: "Due",
  changed: "Changed",
  noSteps: "No steps yet",
  decided: (done: number, all: number) => `${countText(done)} of ${countText(all)}`,
  create: "Create draft",
  created: "Draft created",
  nameHint: "The decision: Series A, first closing",
  notes: "Notes",
  stepsField: "Steps",
  stepsHint: "One decision maker per line: Board of directors",
  edit: "Edit",
  editTitle: "Edit draft",
  save: "Save draft",
  saved: "Draft saved",
  remove: "Delete draft",
  removeWords: "Deletes the draft and its steps. The audit log keeps a copy.",
  removed: "Draft deleted",
  toList: "All approvals",
  lockedAt: "Locked",
  states: {
    Draft: "Draft",
    Submitted: "Submitted",
    Approved: "Approved",
    Rejected: "Rejected",
    Locked: "Locked",
  } satisfies Labels<typeof Approval.state>,
  stateWords: {
    Draft: "Not open for decisions yet. Add the steps, then submit it.",
    Submitted: "Each step is decided separately. One rejection rejects the approval.",
    Approved: "All steps are approved. Lock the approval to mint the tokens of its securities.",
    Rejected: "A step was rejected. This decision is final.",
    Locked: "This approval is final and cannot be changed.",
  } satisfies Labels<typeof Approval.state>,
  submit: "Submit",
  submitted: "Approval submitted. Its steps can be decided.",
  lock: "Lock",
  lockWords: "This cannot be undone. Tokens can then be minted for the securities of this approval:",
  lockWordsNone: "This cannot be undone. No securities refer to this approval yet.",
  locked: "Approval locked",
  naming: "Securities of this approval",
  namingNone: "No securities refer to this approval.",
} as const;

export const STEPS = {
  title: "Steps",
  name: "Step",
  state: "State",
  by: "Decided by",
  at: "When",
  comment: "Comment",
  states: { PENDING: "Waiting", APPROVED: "Approved", REJECTED: "Rejected" },
  none: "No steps yet. Add one so that the approval can be decided.",
  add: "Add step",
  addName: "Decision maker",
  added: "Step added",
  remove: "Remove",
  removeWords: "Removes the step from this approval.",
  removed: "Step removed",
  decide: "Decide",
  decideName: (name: string) => `Decide: ${name}`,
  approve: "Approve",
  approved: (name: string) => `${name}: approved`,
  reject: "Reject",
  rejectWords: "One rejection rejects the whole approval. This is final.",
  rejected: (name: string) => `${name}: rejected`,
} as const;

/** Kinds of approvals, by the API's value. */
export const APPROVAL_KINDS = {
  "Stock Issuance": "Share issuance",
  "Option Grant": "Option grant",
  "RSU Grant": "RSU grant",
  "Warrant Issuance": "Warrant issuance",
  "Convertible Issuance": "Convertible issuance",
  "Stock Transfer": "Share transfer",
  Exercise: "Exercise",
  Conversion: "Conversion",
  Cancellation: "Cancellation",
  Repurchase: "Repurchase",
  Valuation: "Valuation",
  "Equity Plan": "Equity plan",
  "Stock Split": "Split",
  Other: "Other",
} as const satisfies Labels<typeof Approval.entityType>;

/** Names of actors, where no person is named. */
export const ACTORS = {
  "api-key": "API key",
  person: "A person",
  cli: "Command line",
  job: "Background job",
} as const satisfies Labels<(typeof ApiKey)["madeBy.actor"]>;
