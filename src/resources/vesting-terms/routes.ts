// Routes of vesting terms: reusable schedules. src/ledger/vesting computes what they give a security.

import type { AllocationMethod } from "../../kernel/allocation-method.ts";
import { problem } from "../../kernel/problem.ts";
import { vestingSummary } from "../../ledger/vesting/summary.ts";
import { termsWarnings } from "../../ledger/vesting/terms-warnings.ts";
import type { Row } from "../../storage/database/sql.ts";
import { isNamedByActive } from "../active-store.ts";
import { crudRoutes, type Resource } from "../crud.ts";
import { toColumns } from "../present.ts";
import type { Route } from "../route.ts";
import { previewTerms } from "./preview.ts";
import { VESTING_TERMS_EXAMPLE, VestingTerms, VestingTermsCreate, VestingTermsPatch } from "./schema.ts";
import { changedTerms, readConditions } from "./terms.ts";

type TermsRow = Row<"vesting_terms">;

const vestingTerms: Resource<TermsRow, typeof VestingTermsCreate, typeof VestingTermsPatch> = {
  segment: "vesting-terms",
  table: "vesting_terms",
  name: "VestingTerms",
  plural: "VestingTerms",
  tag: "Vesting terms",
  about: "Reusable schedules by which securities vest.",
  createNote: "Attach them to securities by `vestingTermsId`.",
  deleteNote: "Refused while an ACTIVE security vests by them.",
  listKey: "items",
  isWrapped: false,
  create: VestingTermsCreate,
  patch: VestingTermsPatch,
  record: VestingTerms,
  example: VESTING_TERMS_EXAMPLE,
  derive: () => (row) => {
    const allocationType = row.allocationMethod as AllocationMethod;
    return { allocationType, ...vestingSummary({ ...readConditions(row), allocationMethod: allocationType }) };
  },
  warn(row) {
    const conditions = readConditions(row);
    return termsWarnings(
      { ...conditions, allocationMethod: row.allocationMethod as AllocationMethod },
      { ...row, schedule: conditions.schedule },
    );
  },
  prepare: (_tx, _call, given) => toColumns(given),
  alter: (_tx, _call, before, patch) => changedTerms(before, patch),
  checkDelete(tx, call, row) {
    if (isNamedByActive(tx, "vestingTermsId", call, row.id)) {
      throw problem("in-use", "The vesting terms are attached to an ACTIVE security.");
    }
  },
};

/** The routes of vesting terms. */
export const vestingTermsRoutes: readonly Route[] = [...crudRoutes(vestingTerms), previewTerms];
