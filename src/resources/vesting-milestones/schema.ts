// Schemas of vesting milestones: request bodies and answers.
import { Type } from "@sinclair/typebox";
import { withRules } from "../../kernel/check.ts";
import { body, EXTENSION, freeText, id, nullable, oneOf, optional, patchOf } from "../../kernel/fields.ts";
import { VESTING_MILESTONE_FIELDS } from "../../storage/records/vesting-milestone.ts";
import { RECORD_HEAD, RECORD_TAIL, shown, timestamp } from "../present.ts";
import { halfFindings } from "./milestone-rules.ts";

const evidenceNote = optional(freeText(1000, { description: "The evidence that the milestone was reached." }));

const status = oneOf(["PENDING", "COMPLETED"]);

/** The body of `POST /vesting-milestones`. */
export const VestingMilestoneCreate = withRules(body(VESTING_MILESTONE_FIELDS), {
  of: ["securityId", "quantity"],
  findings: halfFindings,
});
/** The body of `PATCH /vesting-milestones/{id}`. */
export const VestingMilestonePatch = patchOf(VestingMilestoneCreate);
/** The body of `POST /vesting-milestones/{id}/complete`. */
export const MilestoneCompletion = body({ evidenceNote });
/** A vesting milestone as answers show it. */
export const VestingMilestone = Type.Object({
  ...RECORD_HEAD,
  // The return of `name` and `evidenceNote` is an extension; `securityId` and `quantity` are extensions anyway.
  ...shown({ ...VESTING_MILESTONE_FIELDS, evidenceNote }, ["name", "evidenceNote"]),
  status: { ...status, description: "Whether the milestone was reached." },
  completedAt: nullable(timestamp({ description: "Null while pending." })),
  ...RECORD_TAIL,
});

/** The filters of `GET /vesting-milestones`. */
export const VestingMilestoneFilters = body({
  securityId: Type.Optional(id(EXTENSION)),
  status: Type.Optional({ ...status, ...EXTENSION }),
});

export const VESTING_MILESTONE_EXAMPLE = {
  name: "First paying customer",
  description: "A signed contract and the first invoice paid.",
  targetDate: "2026-06-30",
};
