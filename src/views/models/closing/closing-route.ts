// Closing a round over HTTP: `POST /api/v1/models/round/close`.

import type { Static } from "@sinclair/typebox";
import type { Call } from "../../../kernel/call.ts";
import { shortOfReserved } from "../../../ledger/warnings/short-of-reserved.ts";
import { type AskRoute, later, type Reply, recordPath, writeRoute } from "../../../resources/route.ts";
import type { Tx } from "../../../storage/database/sql.ts";
import { RollBack } from "../../../storage/database/writer.ts";
import type { Closed } from "./close.ts";
import type { EarlierPlan } from "./closing-plan.ts";
import { CloseBody, ClosedAnswer } from "./schema.ts";

/** Plans a closing in a reading thread: a route that no request can name. */
export const closingPlanRoute: AskRoute<typeof CloseBody> = {
  method: "POST",
  path: "",
  operationId: "planClosing",
  tag: "",
  summary: "",
  role: "EDITOR",
  status: 200,
  body: CloseBody,
  ask: later(
    () => import("./plan-closing.ts"),
    ({ planEarlier }) =>
      (db, { orgId, nowMs, body }) => ({ status: 200, json: planEarlier(db, { orgId, nowMs }, body) }),
  ),
};

export const closeRoundRoute = writeRoute({
  method: "POST",
  path: "/api/v1/models/round/close",
  operationId: "closeRound",
  tag: "Models",
  summary: "Close a round",
  description:
    "Records a modelled round in one transaction: classes, adjustments, the pool, conversions, issuances, and a " +
    "corporate action. The model is computed again; if its digest differs, the request is refused.",
  role: "EDITOR",
  status: 201,
  isLocated: true,
  isIdempotent: true,
  isExtension: true,
  problems: [404, 409],
  body: CloseBody,
  bodyExample: {
    model: {
      closingDate: "2026-06-30",
      newClass: { name: "Series A" },
      valuation: { kind: "PRE_MONEY", amount: "15000000" },
      investors: [{ stakeholderId: "0190f5a2-6c1e-7b3a-9d4e-1f2a3b4c5d6e", amount: "5000000" }],
    },
    digest: "0".repeat(64),
  },
  response: ClosedAnswer,
  plan: {
    ask: closingPlanRoute,
    run: later(
      async () => ({ ...(await import("./close.ts")), ...(await import("./closing-plan.ts")) }),
      ({ closeRound, planNow }) =>
        (tx, call, { body }, plan) =>
          answer(
            tx,
            call,
            body,
            closeRound(tx, call, body, () => planNow(tx, call.orgId, plan as EarlierPlan)),
          ),
    ),
  },
  run: later(
    async () => ({ ...(await import("./close.ts")), ...(await import("./plan-closing.ts")) }),
    ({ closeRound, planClosing }) =>
      (tx, call, { body }) => {
        const asked = { orgId: call.orgId, nowMs: Date.parse(call.at) };
        return answer(
          tx,
          call,
          body,
          closeRound(tx, call, body, () => planClosing(tx, asked, body)),
        );
      },
  ),
});

/** The answer of a closing; rolls a dry run back. */
function answer(tx: Tx, call: Call, body: Static<typeof CloseBody>, closed: Closed): Reply {
  const { effects, touched, ...data } = closed;
  const warnings = shortOfReserved(tx, call.orgId, touched);
  if (body.dryRun === true) {
    throw new RollBack<Reply>({
      status: 200,
      json: { data: { ...nameless(closed), warnings, effects: effects.map(unmade(closed)) } },
    });
  }
  return {
    status: 201,
    json: { data: { ...data, warnings } },
    location: recordPath("corporate-actions", data.corporateActionId),
    effects: () => effects,
  };
}

/** What a dry run answers: what would be made has no id. */
function nameless({ transactionIds, shareClasses, securities, digest }: Closed) {
  const made = new Set(shareClasses.map(({ id }) => id));
  return {
    corporateActionId: null,
    transactionIds: transactionIds.map(() => null),
    shareClasses: shareClasses.map(({ name }) => ({ id: null, name })),
    securities: securities.map((each) => ({
      ...each,
      securityId: null,
      stockClassId: made.has(each.stockClassId) ? null : each.stockClassId,
    })),
    digest,
  };
}

/** An effect on a record that the dry run would make names no id. */
function unmade({ shareClasses, securities }: Closed) {
  const made = new Set<string | null>([
    ...shareClasses.map(({ id }) => id),
    ...securities.map(({ securityId }) => securityId),
  ]);
  return (effect: Closed["effects"][number]) => (made.has(effect.id) ? { ...effect, id: null } : effect);
}
