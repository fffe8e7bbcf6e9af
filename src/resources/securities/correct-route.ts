// `POST /transactions/correct`: corrects a recording error from the first day on.
import { Type } from "@sinclair/typebox";
import { withRules } from "../../kernel/check.ts";
import { body, EXTENSION, id, requiredFreeText } from "../../kernel/fields.ts";
import { refuse } from "../../kernel/problem.ts";
import { warningsMember } from "../../kernel/warning.ts";
import type { Described } from "../../ledger/operation.ts";
import { dryRun } from "../../ledger/operations/parts.ts";
import { catchUpWithSplits } from "../../ledger/splits/split-under-way.ts";
import { securityWarnings } from "../../ledger/warnings/warnings.ts";
import { getRecord } from "../../storage/database/records.ts";
import type { Row } from "../../storage/database/sql.ts";
import { RollBack } from "../../storage/database/writer.ts";
import { type Reply, type Route, writeRoute } from "../route.ts";
import { describeEffects } from "../transactions/dry-run.ts";
import { type Changed, correctSecurity } from "./change.ts";
import { SecurityPatch, TERMS_RULE } from "./schema.ts";

const {
  type: _type,
  status: _status,
  certificateId: _number,
  grantDate: _day,
  asksAcceptance: _asks,
  ...MEMBERS
} = SecurityPatch.properties;

/** The body: the security, why, and members of its `PATCH`. */
const Correction = withRules(
  body({
    securityId: id({ description: "The security to correct." }),
    reason: requiredFreeText(2000, { description: "Why it is corrected." }),
    ...MEMBERS,
    dryRun,
  }),
  TERMS_RULE,
);

/** The route. */
export const correctRoute: Route = writeRoute({
  method: "POST",
  path: "/api/v1/transactions/correct",
  operationId: "correct",
  tag: "Transactions",
  summary: "Correct a security from its first day",
  description:
    "Changes members of a security as if it had been issued so: every past day shows it, and `knownAt` before the " +
    "correction shows what was known. Earlier direct edits are reversed, each on its own day. Refused if entries " +
    "depend on the record: a security made from it, a split, or another entry than its issuance, direct edits and " +
    "starts of vesting.",
  role: "EDITOR",
  status: 200,
  isIdempotent: true,
  isExtension: true,
  problems: [404, 409],
  body: Correction,
  bodyExample: {
    securityId: "0190f5a2-6c1e-7b3a-9d4e-1f2a3b4c5d6e",
    reason: "The certificate says 1,000 at 2",
    quantity: "1000",
    pricePerShare: "2",
  },
  response: Type.Object({
    data: Type.Object({
      transactionIds: Type.Array(Type.Union([id(), Type.Null()]), {
        description: "The entries, in order; of a dry run a `null` each.",
      }),
      effects: Type.Optional(
        Type.Array(Type.Unknown(), { description: "Of a dry run: each member that would change.", ...EXTENSION }),
      ),
      warnings: warningsMember(),
    }),
  }),
  run(tx, call, request): Reply {
    const { securityId, reason, dryRun: isDry, ...patch } = request.body;
    refuse(Object.keys(patch).length === 0 ? [["#/", "name at least one member to correct"]] : []);
    catchUpWithSplits(tx, call, { securities: [securityId] });
    const before = getRecord<Row<"securities">>(tx, "securities", call.orgId, securityId);
    const changed = correctSecurity(tx, call, before, { reason, patch });
    const row = getRecord<Row<"securities">>(tx, "securities", call.orgId, securityId);
    const warnings = securityWarnings(tx, call, row, before);
    const entries = changed.recorded?.entries ?? [];
    if (isDry === true) {
      const data = { transactionIds: entries.map(() => null), warnings, effects: effectsOf(before, changed) };
      throw new RollBack<Reply>({ status: 200, json: { data } });
    }
    const data = { transactionIds: entries.map((entry) => entry.id), warnings };
    return { status: 200, json: { data }, effects: () => effectsOf(before, changed) };
  },
});

function effectsOf(before: Row<"securities">, { recorded, described }: Changed) {
  const old = before as Readonly<Record<string, unknown>>;
  const shown = Object.entries(described).filter(([field]) => !HIDDEN.has(field));
  const members = shown.map(([field, after]): Described => {
    return { resourceType: "security", id: before.id, field, before: old[field], after };
  });
  return recorded === null ? members : describeEffects(recorded.before, recorded.after, members);
}

/** Columns that answers never show. */
const HIDDEN: ReadonlySet<string> = new Set(["correctedPrice", "statedConsideration"]);
