// Vesting terms as stored, and after a change.
import type { Static } from "@sinclair/typebox";
import { refuse } from "../../kernel/problem.ts";
import { vestingFindings } from "../../ledger/vesting/validate.ts";
import type { VestingCondition, VestingSchedule } from "../../ledger/vesting/vesting-types.ts";
import type { Row, SqlValue } from "../../storage/database/sql.ts";
import { toColumns } from "../present.ts";
import type { VestingTermsPatch } from "./schema.ts";

type TermsRow = Row<"vesting_terms">;

/** The conditions and the schedule of stored terms. */
export function readConditions({ vestingConditions, schedule }: TermsRow) {
  return {
    vestingConditions: JSON.parse(vestingConditions) as VestingCondition[],
    schedule: schedule === null ? null : (JSON.parse(schedule) as VestingSchedule),
  };
}

/** The columns that a change of terms writes. Throws `422` if they do not fit the unchanged ones. */
export function changedTerms(before: TermsRow, patch: Static<typeof VestingTermsPatch>): Record<string, SqlValue> {
  const { totalVestingMonths, cliffMonths } = before;
  refuse(vestingFindings({ totalVestingMonths, cliffMonths, ...readConditions(before), ...patch }));
  return toColumns(patch);
}
