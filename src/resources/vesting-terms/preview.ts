// What another wording of vesting terms would change: what has vested of the grants that follow them.
import { Type } from "@sinclair/typebox";
import { getRecord } from "../../database/records.ts";
import { all, ofOrganization, type Params, type Reader, type Row, value } from "../../database/sql.ts";
import type { CalendarDate } from "../../kernel/date.ts";
import { formatDecimal } from "../../kernel/decimal.ts";
import { id, nullable, text, total } from "../../kernel/fields.ts";
import { toUtcDate } from "../../kernel/runtime.ts";
import { sharesIn } from "../../ledger/vesting-account.ts";
import { loadVesting, type OtherTerms, readRules } from "../../ledger/vesting-store.ts";
import { askRoute } from "../../route.ts";
import { statusOf } from "../../vesting/schedule.ts";
import { VESTING_TERMS_EXAMPLE, VestingTermsPatch } from "./schema.ts";
import { changedTerms } from "./terms.ts";

const SHOWN_MAX = 20;

type Naming = { orgId: string; vestingTermsId: string };

// What was made of another security has vesting of its own, whatever terms it was made under.
const following = (param: Params<Naming>) =>
  ofOrganization("securities", param)
    .where("vestingTermsId", "=", param("vestingTermsId"))
    .where("originSecurityId", "is", null)
    .where("status", "=", "ACTIVE")
    .where("deletedAt", "is", null);

const countFollowing = value((param: Params<Naming>) =>
  following(param).select(({ fn }) => fn.countAll<number>().as("count")),
);

const listFollowing = all((param: Params<Naming>) =>
  following(param).selectAll().orderBy("seq", "desc").limit(SHOWN_MAX),
);

/** `POST /vesting-terms/{id}/preview`. */
export const previewTerms = askRoute({
  method: "POST",
  path: "/api/v1/vesting-terms/:id/preview",
  operationId: "previewVestingTerms",
  tag: "Vesting terms",
  summary: "Preview a change of vesting terms",
  description:
    "Which ACTIVE securities were issued under the terms, and what of each has vested by today, as the terms are and as the body " +
    `would have them. The ${SHOWN_MAX} newest; nothing is kept.`,
  role: "VIEWER",
  status: 200,
  isExtension: true,
  problems: [404],
  body: VestingTermsPatch,
  bodyExample: { vestingConditions: VESTING_TERMS_EXAMPLE.vestingConditions },
  response: Type.Object({
    data: Type.Object({
      count: Type.Integer({ description: "How many there are.", examples: [1] }),
      securities: Type.Array(
        Type.Object({
          securityId: id(),
          certificateId: nullable(text(50)),
          quantity: total({ description: "The grant, without what was cancelled or transferred away." }),
          vestedBefore: total({ description: "By today, as the terms are." }),
          vestedAfter: total({ description: "By today, as the body would have them." }),
        }),
      ),
    }),
  }),
  ask(db, { orgId, params, body, nowMs }) {
    const termsId = params.id ?? "";
    const terms = getRecord<Row<"vesting_terms">>(db, "vesting_terms", orgId, termsId);
    const other = { id: termsId, rules: readRules({ ...terms, ...changedTerms(terms, body) }) };
    const today = toUtcDate(nowMs);
    const named = { orgId, vestingTermsId: termsId };
    const securities = listFollowing(db, named).map((row) => {
      const [before, after] = [vestedBy(db, row, today), vestedBy(db, row, today, other)];
      return {
        securityId: row.id,
        certificateId: row.certificateId,
        quantity: formatDecimal(before.quantity),
        vestedBefore: formatDecimal(before.vested),
        vestedAfter: formatDecimal(after.vested),
      };
    });
    return { status: 200, json: { data: { count: Number(countFollowing(db, named) ?? 0), securities } } };
  },
});

function vestedBy(db: Reader, row: Row<"securities">, today: CalendarDate, other?: OtherTerms) {
  return statusOf(sharesIn(loadVesting(db, row.orgId, row, today, other), today), today);
}
