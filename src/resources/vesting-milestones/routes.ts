// Vesting milestones: shares that vest when something is reached. Completing one is final.
import { changeLogged } from "../../database/logged.ts";
import { getRecord } from "../../database/records.ts";
import type { Row, Tx } from "../../database/sql.ts";
import type { Call } from "../../kernel/call.ts";
import { problem, refuse } from "../../kernel/problem.ts";
import { recordEntries } from "../../ledger/execute.ts";
import { writeRoute } from "../../route.ts";
import { crudRoutes, type Resource } from "../crud.ts";
import { presenter, toColumns } from "../present.ts";
import { halfFindings, refuseExcess, requirePending, type Vesting } from "./rules.ts";
import {
  MilestoneCompletion,
  VESTING_MILESTONE_EXAMPLE,
  VestingMilestone,
  VestingMilestoneCreate,
  VestingMilestonePatch,
} from "./schema.ts";

type MilestoneRow = Row<"vesting_milestones">;

const milestones: Resource<MilestoneRow, typeof VestingMilestoneCreate, typeof VestingMilestonePatch> = {
  segment: "vesting-milestones",
  table: "vesting_milestones",
  name: "VestingMilestone",
  plural: "VestingMilestones",
  tag: "Vesting milestones",
  about: "Shares that vest when something is reached.",
  createNote: "It starts `PENDING`.",
  listKey: "items",
  isWrapped: false,
  create: VestingMilestoneCreate,
  patch: VestingMilestonePatch,
  record: VestingMilestone,
  example: VESTING_MILESTONE_EXAMPLE,
  prepare(tx, call, given) {
    refuseExcess(given, heldBy(tx, call, given.securityId));
    return { ...toColumns(given), status: "PENDING" };
  },
  alter(tx, call, before, patch) {
    const vesting: Vesting = { securityId: before.securityId, quantity: before.quantity, ...patch };
    const isTouched = patch.securityId !== undefined || patch.quantity !== undefined;
    const held = isTouched ? heldBy(tx, call, vesting.securityId) : null;
    requirePending(before);
    if (isTouched) refuse(halfFindings(vesting));
    if (isTouched) refuseExcess(vesting, held);
    return toColumns(patch);
  },
};

/** What the security holds, or null where none is named. Throws `404`. */
function heldBy(tx: Tx, call: Call, securityId: string | null): string | null {
  if (securityId === null) return null;
  return getRecord<Row<"securities">>(tx, "securities", call.orgId, securityId).quantity;
}

const show = presenter(VestingMilestone);

const complete = writeRoute({
  method: "POST",
  path: "/api/v1/vesting-milestones/:id/complete",
  operationId: "completeVestingMilestone",
  tag: "Vesting milestones",
  summary: "Complete a vesting milestone",
  description:
    "Final: correct a mistake by deleting the milestone and making it anew. " +
    "Where the milestone names a security, a VESTING_EVENT is appended for its quantity.",
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
    recordVesting(tx, call, before);
    changeLogged(tx, call, "vesting_milestones", before.id, changes);
    return { status: 200, json: show({ ...before, ...changes }) };
  },
});

/** The ledger says that the milestone's shares have vested. Its security must still be there and ACTIVE. */
function recordVesting(tx: Tx, call: Call, { id, securityId, quantity }: MilestoneRow): void {
  if (securityId === null) return;
  const security = getRecord<Row<"securities">>(tx, "securities", call.orgId, securityId);
  if (security.status !== "ACTIVE") {
    throw problem("invalid-state", `The milestone's security is ${security.status}; only an ACTIVE one vests.`);
  }
  recordEntries(tx, call, [
    {
      type: "VESTING_EVENT",
      securityId,
      stakeholderId: security.stakeholderId,
      quantity,
      effectiveDate: call.today,
      metadata: { milestoneId: id },
    },
  ]);
}

/** The five routes of vesting milestones, and their completion. */
export const vestingMilestoneRoutes = [...crudRoutes(milestones), complete];
