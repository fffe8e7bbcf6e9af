// Routes of vesting milestones: shares that vest when a goal is reached. Completing one is final.

import { refuse } from "../../kernel/problem.ts";
import { changeLogged } from "../../storage/database/log/logged.ts";
import { getRecord, requireRecord } from "../../storage/database/records.ts";
import type { Row } from "../../storage/database/sql.ts";
import { crudRoutes, type Resource } from "../crud.ts";
import { presenter, toColumns } from "../present.ts";
import { writeRoute } from "../route.ts";
import { attach, detach, refuseWaiting, vestBy } from "./attach.ts";
import { halfFindings, requirePending, type Vesting } from "./milestone-rules.ts";
import {
  MilestoneCompletion,
  VESTING_MILESTONE_EXAMPLE,
  VestingMilestone,
  VestingMilestoneCreate,
  VestingMilestoneFilters,
  VestingMilestonePatch,
} from "./schema.ts";

type MilestoneRow = Row<"vesting_milestones">;

const milestones: Resource<MilestoneRow, typeof VestingMilestoneCreate, typeof VestingMilestonePatch> = {
  segment: "vesting-milestones",
  table: "vesting_milestones",
  name: "VestingMilestone",
  plural: "VestingMilestones",
  tag: "Vesting milestones",
  about: "Shares that vest when a goal is reached.",
  createNote: "It starts `PENDING`.",
  listKey: "items",
  isWrapped: false,
  create: VestingMilestoneCreate,
  patch: VestingMilestonePatch,
  record: VestingMilestone,
  example: VESTING_MILESTONE_EXAMPLE,
  filters: VestingMilestoneFilters,
  prepare(tx, call, given) {
    return { ...toColumns(given), heldFrom: attach(tx, call, given), status: "PENDING" };
  },
  alter(tx, call, before, patch) {
    const vesting: Vesting = { securityId: before.securityId, quantity: before.quantity, ...patch };
    const isTouched = patch.securityId !== undefined || patch.quantity !== undefined;
    if (isTouched && vesting.securityId !== null) requireRecord(tx, "securities", call.orgId, vesting.securityId);
    requirePending(before);
    if (!isTouched) return toColumns(patch);
    detach(tx, call, before);
    refuse(halfFindings(vesting));
    const isSame = vesting.securityId === before.securityId && vesting.quantity === before.quantity;
    const heldFrom = isSame ? before.heldFrom : attach(tx, call, vesting);
    return { ...toColumns(patch), heldFrom };
  },
  checkDelete: refuseWaiting,
};

const show = presenter(VestingMilestone);

const complete = writeRoute({
  method: "POST",
  path: "/api/v1/vesting-milestones/:id/complete",
  operationId: "completeVestingMilestone",
  tag: "Vesting milestones",
  summary: "Complete a vesting milestone",
  description:
    "Final: correct a mistake by deleting the milestone and making it anew. " +
    "Where the milestone names a security, a VESTING_EVENT is appended for the shares that wait for it there, and in " +
    "each security that was made of it.",
  role: "EDITOR",
  status: 200,
  problems: [404, 409],
  body: MilestoneCompletion,
  isBodyOptional: true,
  isIdempotent: true,
  bodyExample: { evidenceNote: "Invoice 1 was paid on 2026-05-02." },
  response: VestingMilestone,
  run(tx, call, { params, body }) {
    const before = getRecord<MilestoneRow>(tx, "vesting_milestones", call.orgId, params.id ?? "");
    requirePending(before);
    const { evidenceNote = null } = body;
    const changes = { status: "COMPLETED", completedAt: call.at, evidenceNote, updatedAt: call.at } as const;
    vestBy(tx, call, before);
    changeLogged(tx, call, "vesting_milestones", before.id, changes);
    return { status: 200, json: show({ ...before, ...changes }) };
  },
});

/** The five routes of vesting milestones, and their completion. */
export const vestingMilestoneRoutes = [...crudRoutes(milestones), complete];
