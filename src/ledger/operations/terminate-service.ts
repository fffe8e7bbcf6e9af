// terminate-service: somebody leaves. What has not vested of their options goes, what has stays for a while.
import { type Static, Type } from "@sinclair/typebox";
import { present } from "../../kernel/assert.ts";
import type { CalendarDate } from "../../kernel/date.ts";
import { formatDecimal, ZERO } from "../../kernel/decimal.ts";
import { body, date, decimal, defaulted, id, listOf, nullable, oneOf, optional, total } from "../../kernel/fields.ts";
import { type Problem, problem } from "../../kernel/problem.ts";
import { afterService, RELATIONSHIPS } from "../../kernel/relationships.ts";
import { type Described, type Facts, type Holder, ledgerOperation } from "../operation.ts";
import type { EntryDraft, SecurityState } from "../types.ts";
import {
  inWindow,
  isoWarning,
  lateExercise,
  lateGrant,
  newExpiration,
  type Option,
  optionsOn,
  unvestedStock,
} from "./leaving-parts.ts";
import { recording, withoutNulls } from "./parts.ts";

const Command = body({
  stakeholderId: id({ description: "Who leaves." }),
  cancellationReason: defaulted(oneOf(["TERMINATION", "FORFEITURE"]), "TERMINATION"),
  exerciseWithinDays: optional(
    Type.Integer({
      minimum: 0,
      maximum: 3650,
      description: "How long what is vested may still be exercised; without it expirations stay.",
    }),
  ),
  relationships: optional(
    listOf(oneOf(RELATIONSHIPS), {
      description: "What the stakeholder is from now on; by default what it was, as an `EX_` one.",
    }),
  ),
  ...recording,
});

const Answer = Type.Object({
  transactionIds: Type.Array(id(), { description: "Every entry that it appended." }),
  cancelled: Type.Array(
    Type.Object({ transactionId: id(), securityId: id(), quantity: total(), returnToPool: Type.Boolean() }),
    { description: "What had not vested of each option." },
  ),
  exercisable: Type.Array(
    Type.Object({ securityId: id(), quantity: total(), until: nullable(date({ description: "Its expiration." })) }),
    { description: "What has vested of each option." },
  ),
  repurchasable: Type.Array(Type.Object({ securityId: id(), quantity: total(), pricePerShare: nullable(decimal()) }), {
    description: "Stock that has not vested. Nothing is done to it: to repurchase it is the company's choice.",
  }),
});

/** `POST /api/v1/transactions/terminate-service` (FIRSTDAY section 3). */
export const terminateService = ledgerOperation({
  route: "terminate-service",
  summary: "End somebody's service",
  description:
    "In one commit: of each open option what has not vested by `effectiveDate` is cancelled, to the pool where its plan " +
    "says so; what has vested keeps, and may be exercised until the window ends. Unvested stock is listed and stays. " +
    "The stakeholder gets its new relationships, and is FORMER where it holds nothing any more.",
  status: 200,
  answers: [],
  isExtension: true,
  isDatedByTomorrow: true,
  body: Command,
  example: {
    stakeholderId: "0190f5a2-6c1e-7b3a-9d4e-1f2a3b4c5d6e",
    effectiveDate: "2026-06-30",
    exerciseWithinDays: 90,
  },
  needs: (command) => ({ holdingsOf: command.stakeholderId }),
  follows(command, facts) {
    const { effectiveDate } = command;
    const isCancelled = ({ unvested }: Option) => unvested > ZERO;
    return optionsOn(facts, effectiveDate)
      .filter(isCancelled)
      .map(({ state }) => ({ securityId: state.id }));
  },
  decide(facts, command) {
    const { effectiveDate } = command;
    const late = lateExercise(facts, effectiveDate);
    if (late) throw afterwards(`The exercise ${late.id} is dated ${late.effectiveDate}`);
    const holder = present(facts.holder, "who leaves");
    const options = optionsOn(facts, effectiveDate);
    const cancelled = options.filter(({ unvested }) => unvested > ZERO);
    const kept = options.filter(({ vested }) => vested > ZERO).map((option) => inWindow(option, command));
    const granted = lateGrant(kept, effectiveDate);
    if (granted) throw afterwards(`The option ${granted.state.id} was granted on ${granted.grantDate}`);
    const gone = new Set(cancelled.filter(({ vested }) => vested === ZERO).map(({ state }) => state.id));
    const described = describedAnew(
      holder,
      command,
      holder.holds.every((securityId) => gone.has(securityId)),
    );
    const exercisable = kept.filter(({ until }) => until === null || until >= effectiveDate);
    return {
      entries: [
        ...cancelled.map((option) => cancellation(facts, option, command)),
        ...updates(holder, described, effectiveDate),
      ],
      described: [...kept.flatMap(newExpiration), ...described],
      answer: {
        cancelled: cancelled.map((option) => ({
          securityId: option.state.id,
          quantity: formatDecimal(option.unvested),
          returnToPool: returnsToPool(facts, option.state),
        })),
        exercisable: exercisable.map(({ state, vested, until }) => ({
          securityId: state.id,
          quantity: formatDecimal(vested),
          until,
        })),
        repurchasable: unvestedStock(facts, effectiveDate),
      },
      warnings: exercisable.flatMap((option) => isoWarning(option, effectiveDate)),
    };
  },
  data: {
    schema: Answer,
    tell({ cancelled, ...answer }, transactionIds) {
      // Cancellations are the first entries.
      const told = (cancelled as readonly object[]).map((each, i) => ({ transactionId: transactionIds[i], ...each }));
      return { transactionIds, cancelled: told, ...answer };
    },
  },
});

type Given = Static<typeof Command>;

function afterwards(what: string): Problem {
  return problem("invalid-state", `${what}, after the service would have ended.`);
}

function returnsToPool({ plans }: Facts, { equityPlanId }: SecurityState): boolean {
  return plans.get(equityPlanId ?? "")?.defaultCancellationBehavior === "RETURN_TO_POOL";
}

function cancellation(facts: Facts, { state, unvested }: Option, command: Given): EntryDraft {
  return {
    type: "STOCK_OPTION_CANCELLATION",
    securityId: state.id,
    stakeholderId: state.stakeholderId,
    quantity: formatDecimal(unvested),
    effectiveDate: command.effectiveDate,
    metadata: withoutNulls({
      cancellationReason: command.cancellationReason ?? "TERMINATION",
      returnToPool: returnsToPool(facts, state),
      boardApprovalDate: command.boardApprovalDate,
      description: command.description,
    }),
  };
}

/** What the stakeholder is described as from now on. */
function describedAnew({ row }: Holder, { relationships }: Given, holdsNothing: boolean): Described[] {
  const was: string[] = JSON.parse(row.relationships);
  const now = relationships ?? afterService(was);
  const record = { resourceType: "stakeholder", id: row.id } as const;
  const isSame = JSON.stringify(was) === JSON.stringify(now);
  return [
    ...(isSame ? [] : [{ ...record, field: "relationships", before: was, after: now }]),
    ...(holdsNothing && row.status !== "FORMER"
      ? [{ ...record, field: "status", before: row.status, after: "FORMER" }]
      : []),
  ];
}

/** The ledger says that the stakeholder changed, and names what did. */
function updates({ row }: Holder, described: readonly Described[], effectiveDate: CalendarDate): EntryDraft[] {
  if (described.length === 0) return [];
  const changed = described.map(({ field }) => field);
  const entry = { type: "STAKEHOLDER_UPDATE", securityId: null, stakeholderId: row.id, quantity: null } as const;
  return [{ ...entry, effectiveDate, metadata: { changed } }];
}
