// Preview of a change of vesting terms: the vested shares of the grants that follow them, before and after.
import { Type } from "@sinclair/typebox";
import { id, nullable, text, total } from "../../kernel/fields.ts";
import { formatDecimal } from "../../kernel/numbers/decimal.ts";
import { toUtcDate } from "../../kernel/runtime.ts";
import { hasOwnParcels, type SecurityVesting, sharesIn } from "../../ledger/vested/vesting-account.ts";
import { loadVesting, readRules } from "../../ledger/vested/vesting-store.ts";
import { statusOf } from "../../ledger/vesting/schedule.ts";
import { getRecord } from "../../storage/database/records.ts";
import { all, ofOrganization, type Params, type Row } from "../../storage/database/sql.ts";
import { askRoute } from "../route.ts";
import { VESTING_TERMS_EXAMPLE, VestingTermsPatch } from "./schema.ts";
import { changedTerms } from "./terms.ts";

const SHOWN_MAX = 20;
/** Each security needs a replay of a few thousandths of a second. */
const LOOKED_AT_MAX = 1000;

const listNaming = all((param: Params<{ orgId: string; vestingTermsId: string }>) =>
  ofOrganization("securities", param)
    .selectAll()
    .where("vestingTermsId", "=", param("vestingTermsId"))
    .where("status", "=", "ACTIVE")
    .where("deletedAt", "is", null)
    .orderBy("seq", "desc")
    .limit(LOOKED_AT_MAX + 1),
);

/** `POST /vesting-terms/{id}/preview`. */
export const previewTerms = askRoute({
  method: "POST",
  path: "/api/v1/vesting-terms/:id/preview",
  operationId: "previewVestingTerms",
  tag: "Vesting terms",
  summary: "Preview a change of vesting terms",
  description:
    "Which ACTIVE securities vest by the terms, and what of each has vested by today, as the terms are and as the body " +
    `would have them. The ${SHOWN_MAX} newest; nothing is kept. What was divided, or made of another security, mostly has ` +
    "vesting of its own.",
  role: "VIEWER",
  status: 200,
  isExtension: true,
  problems: [404],
  body: VestingTermsPatch,
  bodyExample: { vestingConditions: VESTING_TERMS_EXAMPLE.vestingConditions },
  response: Type.Object({
    data: Type.Object({
      count: Type.Integer({ description: "The number of securities.", examples: [1] }),
      isWhole: Type.Boolean({
        description: `False where more than ${LOOKED_AT_MAX} name the terms: the newest were looked at.`,
      }),
      securities: Type.Array(
        Type.Object({
          securityId: id({ description: "The security." }),
          certificateId: nullable(text(50, { description: "The certificate number, unique in the organization." })),
          quantity: total({ description: "The grant, less cancelled and transferred shares." }),
          vestedBefore: total({ description: "By today, under the present terms." }),
          vestedAfter: total({ description: "By today, under the terms of the body." }),
        }),
        { description: "What a change of the terms would do to each security that has them." },
      ),
    }),
  }),
  ask(db, { orgId, params, body, nowMs }) {
    const termsId = params.id ?? "";
    const terms = getRecord<Row<"vesting_terms">>(db, "vesting_terms", orgId, termsId);
    const other = { id: termsId, rules: readRules({ ...terms, ...changedTerms(terms, body) }) };
    const today = toUtcDate(nowMs);
    const naming = listNaming(db, { orgId, vestingTermsId: termsId });
    const following = naming
      .slice(0, LOOKED_AT_MAX)
      .map((row) => ({ row, vesting: loadVesting(db, orgId, row, { asOf: today }) }))
      .filter(({ vesting }) => !hasOwnParcels(vesting));
    const securities = following.slice(0, SHOWN_MAX).map(({ row, vesting }) => {
      const statusIn = (each: SecurityVesting) => statusOf(sharesIn(each, today), today);
      const [before, after] = [statusIn(vesting), statusIn(loadVesting(db, orgId, row, { asOf: today, other }))];
      return {
        securityId: row.id,
        certificateId: row.certificateId,
        quantity: formatDecimal(before.quantity),
        vestedBefore: formatDecimal(before.vested),
        vestedAfter: formatDecimal(after.vested),
      };
    });
    const isWhole = naming.length <= LOOKED_AT_MAX;
    return { status: 200, json: { data: { count: following.length, isWhole, securities } } };
  },
});
