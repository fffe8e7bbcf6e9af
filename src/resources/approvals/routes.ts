// Routes of approvals: records of governance with a review lifecycle. Only a locked one lets tokens be minted.
import { Type } from "@sinclair/typebox";
import type { Call } from "../../kernel/call.ts";
import { problem, refuse } from "../../kernel/problem.ts";
import type { Row, Tx } from "../../storage/database/sql.ts";
import { isNamedByActive } from "../active-store.ts";
import { crudRoutes, type Resource, showRecord } from "../crud.ts";
import { toColumns } from "../present.ts";
import { type Route, writeRoute } from "../route.ts";
import { purposeFindings, requireState } from "./approval-rules.ts";
import { releaseGated } from "./release.ts";
import { APPROVAL_EXAMPLE, Approval, ApprovalCreate, ApprovalFilters, ApprovalPatch } from "./schema.ts";
import { addStep, changeState, readApproval, showStep, stepRoutes } from "./steps.ts";
import { deleteSteps, listNamingTypes, listSteps } from "./store.ts";

type ApprovalRow = Row<"approvals">;

const approvals: Resource<ApprovalRow, typeof ApprovalCreate, typeof ApprovalPatch> = {
  segment: "approvals",
  table: "approvals",
  name: "Approval",
  plural: "Approvals",
  tag: "Approvals",
  about: "Records of governance with a review lifecycle. Only a locked one lets tokens be minted.",
  createNote: "It starts in `Draft`.",
  deleteNote: "Only in `Draft`. Its steps go with it.",
  listKey: "data",
  isWrapped: true,
  create: ApprovalCreate,
  patch: ApprovalPatch,
  record: Approval,
  example: APPROVAL_EXAMPLE,
  filters: ApprovalFilters,
  toFilters: ({ status: state, entityType }) => ({
    ...(state === undefined ? {} : { state }),
    ...(entityType === undefined ? {} : { entityType }),
  }),
  derive: (db) => (row) => ({ steps: listSteps(db, { orgId: row.orgId, approvalId: row.id }).map(showStep) }),
  prepare: (_tx, _call, { steps: _steps, ...given }) => toColumns({ ...given, state: "Draft" }),
  alter(tx, call, before, patch) {
    requireState(before, "Draft");
    const { entityType } = patch;
    const isNew = entityType !== undefined && entityType !== before.entityType;
    if (isNew) refuse(purposeFindings(entityType, listNamingTypes(tx, call.orgId, before.id)));
    return toColumns(patch);
  },
  afterCreate(tx, call, row, { steps }) {
    for (const { name } of steps ?? []) addStep(tx, call, row.id, name);
  },
  checkDelete(tx, call, row) {
    requireState(row, "Draft");
    if (isNamedByActive(tx, "approvalId", call, row.id))
      throw problem("in-use", "An ACTIVE security names the approval.");
  },
  afterDelete: (tx, call, row) => deleteSteps(tx, call, row.id),
};

const show = showRecord(approvals);

/** A route that moves an approval from one state to another. */
function moveRoute(
  verb: "submit" | "lock",
  [from, to]: readonly [ApprovalRow["state"], ApprovalRow["state"]],
  follow?: (tx: Tx, call: Call, approvalId: string) => void,
): Route {
  return writeRoute({
    method: "POST",
    path: `/api/v1/approvals/:id/${verb}`,
    operationId: `${verb}Approval`,
    tag: "Approvals",
    summary: `${verb === "lock" ? "Lock" : "Submit"} an approval`,
    description: `Moves the approval from \`${from}\` to \`${to}\`.`,
    role: "EDITOR",
    status: 200,
    problems: [404, 409],
    response: Type.Object({ data: Approval }),
    run(tx, call, { params }) {
      const approval = readApproval(tx, call.orgId, params);
      requireState(approval, from);
      changeState(tx, call, approval, to);
      follow?.(tx, call, approval.id);
      return { status: 200, json: { data: show(tx, call)(readApproval(tx, call.orgId, params)) } };
    },
  });
}

/** The routes of approvals and of their steps. */
export const approvalRoutes: readonly Route[] = [
  ...crudRoutes(approvals),
  moveRoute("submit", ["Draft", "Submitted"]),
  moveRoute("lock", ["Approved", "Locked"], releaseGated),
  ...stepRoutes,
];
