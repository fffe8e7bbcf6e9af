// Approval steps: the persons or bodies that have to approve, and their decisions, which move the approval.
import { Type } from "@sinclair/typebox";
import type { Call } from "../../kernel/call.ts";
import { notFound } from "../../kernel/problem.ts";
import { changeLogged, insertLogged } from "../../storage/database/log/logged.ts";
import { getRecord } from "../../storage/database/records.ts";
import type { Reader, Row, Tx } from "../../storage/database/sql.ts";
import { makerOf } from "../api-keys/maker.ts";
import { listEnvelope } from "../crud.ts";
import { presenter } from "../present.ts";
import { type PathParams, type ReadRoute, type Route, recordPath, writeRoute } from "../route.ts";
import { OPEN, requireState, requireUndecided, stateAfter } from "./approval-rules.ts";
import { ApprovalStep, StepCreate, StepPatch } from "./schema.ts";
import { closeUpSteps, listSteps } from "./store.ts";

type ApprovalRow = Row<"approvals">;
type StepRow = Row<"approval_steps">;

/** Shows a step's row as answers do. */
export const showStep = presenter(ApprovalStep);

/** The approval that the path names. Throws `404`. */
export function readApproval(db: Reader, orgId: string, params: PathParams): ApprovalRow {
  return getRecord<ApprovalRow>(db, "approvals", orgId, params.id ?? "");
}

/** The step that the path names. Throws `404`, also for a step of another approval. */
function readStep(db: Reader, orgId: string, params: PathParams): { approval: ApprovalRow; step: StepRow } {
  const approval = readApproval(db, orgId, params);
  const step = getRecord<StepRow>(db, "approval_steps", orgId, params.stepId ?? "");
  if (step.approvalId !== approval.id) throw notFound("approval step");
  return { approval, step };
}

/** Appends a PENDING step to an approval. */
export function addStep(tx: Tx, call: Call, approvalId: string, name: string): StepRow {
  const id = call.newId();
  const order = listSteps(tx, { orgId: call.orgId, approvalId }).length + 1;
  const row = { orgId: call.orgId, id, approvalId, name, status: "PENDING", order, createdAt: call.at } as const;
  insertLogged(tx, call, "approval_steps", { ...row, decidedAt: null, decidedBy: null, comment: null });
  return getRecord<StepRow>(tx, "approval_steps", call.orgId, id);
}

/** Moves an approval to another state, unless it has that state already. */
export function changeState(tx: Tx, call: Call, approval: ApprovalRow, state: ApprovalRow["state"]): void {
  if (state === approval.state) return;
  const lockedAt = state === "Locked" ? call.at : approval.lockedAt;
  changeLogged(tx, call, "approvals", approval.id, { state, lockedAt, updatedAt: call.at });
}

/** Updates the approval after a decision, or after a step was removed. */
function settle(tx: Tx, call: Call, approval: ApprovalRow): void {
  changeState(tx, call, approval, stateAfter(approval, listSteps(tx, { orgId: call.orgId, approvalId: approval.id })));
}

/** Records a decision or a new name, and its effect on the approval. */
function changeStep(tx: Tx, call: Call, approval: ApprovalRow, step: StepRow, changes: Partial<StepRow>): void {
  changeLogged(tx, call, "approval_steps", step.id, changes);
  settle(tx, call, approval);
}

const STEPS_PATH = "/api/v1/approvals/:id/steps";
const common = { tag: "Approvals", problems: [404, 409] } as const;
const reading = { ...common, method: "GET", role: "VIEWER", status: 200, isExtension: true, problems: [404] } as const;
const wrapped = Type.Object({ data: ApprovalStep });

const list: ReadRoute = {
  ...reading,
  path: STEPS_PATH,
  operationId: "listApprovalSteps",
  summary: "List an approval's steps",
  description: "All of them, in order; `nextCursor` is always null.",
  response: listEnvelope("data", ApprovalStep),
  run(db, { orgId, params }) {
    const approval = readApproval(db, orgId, params);
    const data = listSteps(db, { orgId, approvalId: approval.id }).map(showStep);
    return { status: 200, json: { data, nextCursor: null } };
  },
};

const read: ReadRoute = {
  ...reading,
  path: `${STEPS_PATH}/:stepId`,
  operationId: "getApprovalStep",
  summary: "Get a step",
  response: wrapped,
  run: (db, { orgId, params }) => ({ status: 200, json: { data: showStep(readStep(db, orgId, params).step) } }),
};

const create = writeRoute({
  ...common,
  method: "POST",
  path: STEPS_PATH,
  operationId: "addApprovalStep",
  summary: "Add a step",
  description: "Appends a step; the approval must be `Draft` or `Submitted`.",
  role: "EDITOR",
  status: 201,
  isLocated: true,
  isIdempotent: true,
  body: StepCreate,
  bodyExample: { name: "Board of directors" },
  response: wrapped,
  run(tx, call, { params, body }) {
    const approval = readApproval(tx, call.orgId, params);
    requireState(approval, ...OPEN);
    const step = addStep(tx, call, approval.id, body.name);
    const location = `${recordPath("approvals", approval.id)}/steps/${step.id}`;
    return { status: 201, json: { data: showStep(step) }, location };
  },
});

const patch = writeRoute({
  ...common,
  method: "PATCH",
  path: `${STEPS_PATH}/:stepId`,
  operationId: "updateApprovalStep",
  summary: "Decide or rename a step",
  description:
    "`status` records the decision, with an optional `comment`, while the approval is `Submitted`; when all steps are " +
    "approved the approval is, and one rejection rejects it. `name` may change while it is `Draft` or `Submitted`. " +
    "Either way the step must still be `PENDING`.",
  role: "EDITOR",
  status: 200,
  isExtension: true,
  body: StepPatch,
  bodyExample: { status: "APPROVED", comment: "Approved at the meeting of 15 January." },
  response: wrapped,
  run(tx, call, { params, body }) {
    const { approval, step } = readStep(tx, call.orgId, params);
    const { name, status, comment = null } = body;
    if (status !== undefined || name !== undefined) {
      requireState(approval, ...(status === undefined ? OPEN : (["Submitted"] as const)));
      requireUndecided(step);
    }
    if (status !== undefined) {
      const decision = { status, comment, decidedAt: call.at, decidedBy: JSON.stringify(makerOf(tx, call)) };
      changeStep(tx, call, approval, step, decision);
    } else if (name !== undefined && name !== step.name) changeStep(tx, call, approval, step, { name });
    return { status: 200, json: { data: showStep(readStep(tx, call.orgId, params).step) } };
  },
});

const remove = writeRoute({
  ...common,
  method: "DELETE",
  path: `${STEPS_PATH}/:stepId`,
  operationId: "deleteApprovalStep",
  summary: "Delete a step",
  description: "Only a `PENDING` step of a `Draft` or `Submitted` approval; the steps behind it move up.",
  role: "EDITOR",
  status: 204,
  isExtension: true,
  run(tx, call, { params }) {
    const { approval, step } = readStep(tx, call.orgId, params);
    requireState(approval, ...OPEN);
    requireUndecided(step);
    changeLogged(tx, call, "approval_steps", step.id, { deletedAt: call.at });
    closeUpSteps(tx, call, approval.id, step.order);
    settle(tx, call, approval);
    return { status: 204 };
  },
});

/** The routes of an approval's steps. */
export const stepRoutes: readonly Route[] = [list, create, read, patch, remove];
