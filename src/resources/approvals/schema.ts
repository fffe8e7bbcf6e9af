// Schemas of approvals and their steps: request bodies and answers.
import { Type } from "@sinclair/typebox";
import { withRules } from "../../kernel/check.ts";
import { body, EXTENSION, freeText, id, integer, nullable, oneOf, optional, text } from "../../kernel/fields.ts";
import { APPROVAL_FIELDS } from "../../storage/records/approval.ts";
import { makerShape } from "../api-keys/maker.ts";
import { RECORD_HEAD, RECORD_TAIL, shown, timestamp } from "../present.ts";
import { mixtureFindings } from "./approval-rules.ts";

const state = oneOf(["Draft", "Submitted", "Approved", "Rejected", "Locked"]);
const { entityType } = APPROVAL_FIELDS;

const stepName = text(100, { description: "The approving person or body.", examples: ["Board of directors"] });

/** The body of `POST /approvals/{id}/steps`. */
export const StepCreate = body({ name: stepName });
/** The body of `PATCH /approvals/{id}/steps/{stepId}`: a decision, or a new name. */
export const StepPatch = withRules(
  body({
    name: Type.Optional(stepName),
    status: Type.Optional(oneOf(["APPROVED", "REJECTED"], { description: "The decision. It is final." })),
    comment: optional(freeText(2000, { description: "Goes with a decision." })),
  }),
  { of: ["name", "status", "comment"], findings: mixtureFindings },
);
const Decider = makerShape("Who decided; null while pending.");

/** A step as answers show it. */
export const ApprovalStep = Type.Object({
  id: id({ description: "Identifies the step." }),
  approvalId: id({ description: "The approval that it belongs to." }),
  name: stepName,
  status: oneOf(["PENDING", "APPROVED", "REJECTED"], {
    description: "Whether the step is pending, approved or rejected.",
  }),
  order: integer(1, { description: "The place in the sequence, from 1." }),
  decidedAt: nullable(timestamp({ description: "When the decision was recorded; null while pending." })),
  decidedBy: nullable(Decider),
  comment: nullable(freeText(2000, { description: "What was said with the decision." })),
  createdAt: timestamp({ description: "When the step was added." }),
});

/** The body of `POST /approvals`. */
export const ApprovalCreate = body({
  ...APPROVAL_FIELDS,
  steps: optional(Type.Array(StepCreate, { description: "Who has to approve, in order." })),
});
/** The body of `PATCH /approvals/{id}`. */
export const ApprovalPatch = body({
  ...APPROVAL_FIELDS,
  title: Type.Optional({ ...APPROVAL_FIELDS.title, description: "A short title." }),
  entityType: Type.Optional(APPROVAL_FIELDS.entityType),
});
/** An approval as answers show it. */
export const Approval = Type.Object({
  ...RECORD_HEAD,
  ...shown(APPROVAL_FIELDS),
  state: { ...state, description: "Where the review stands." },
  lockedAt: nullable(timestamp({ description: "When it was locked." })),
  steps: Type.Array(ApprovalStep, { description: "In order.", ...EXTENSION }),
  ...RECORD_TAIL,
});
/** The filters of `GET /approvals`. */
export const ApprovalFilters = body({ status: Type.Optional(state), entityType: Type.Optional(entityType) });

export const APPROVAL_EXAMPLE = {
  title: "Issue the founders' shares",
  entityType: "Stock Issuance",
  dueDate: "2026-02-01",
  steps: [{ name: "Board of directors" }, { name: "General counsel" }],
};
