// Corporate actions: records of governance. They change nothing on the cap table; transactions do.
import type { Static } from "@sinclair/typebox";
import type { Call } from "../../kernel/call.ts";
import type { Row, Tx } from "../../storage/database/sql.ts";
import { createRecord, crudRoutes, type Resource } from "../crud.ts";
import { toColumns } from "../present.ts";
import {
  CORPORATE_ACTION_EXAMPLE,
  CorporateAction,
  CorporateActionCreate,
  CorporateActionFilters,
  CorporateActionPatch,
} from "./schema.ts";

const corporateActions: Resource<
  Row<"corporate_actions">,
  typeof CorporateActionCreate,
  typeof CorporateActionPatch
> = {
  segment: "corporate-actions",
  table: "corporate_actions",
  name: "CorporateAction",
  plural: "CorporateActions",
  tag: "Corporate actions",
  about: "Records of governance. They do not change securities; the matching transactions do.",
  listKey: "data",
  isWrapped: true,
  isPatchIdempotent: true,
  create: CorporateActionCreate,
  patch: CorporateActionPatch,
  record: CorporateAction,
  example: CORPORATE_ACTION_EXAMPLE,
  filters: CorporateActionFilters,
  prepare: (_tx, _call, given) => toColumns(given),
  alter: (_tx, _call, _before, patch) => toColumns(patch),
};

/** Records a corporate action as its route does; `given` is a validated body. */
export function createCorporateAction(tx: Tx, call: Call, given: Static<typeof CorporateActionCreate>) {
  return createRecord(tx, call, corporateActions, given);
}

/** The five routes of corporate actions. */
export const corporateActionRoutes = crudRoutes(corporateActions);
