// terminate-service: a person's service ends. Unvested options are cancelled, vested ones stay exercisable for a while,
// and unvested stock stops vesting.
import { type Static, Type } from "@sinclair/typebox";
import { present } from "../../kernel/assert.ts";
import type { CalendarDate } from "../../kernel/date.ts";
import {
  body,
  date,
  decimal,
  defaulted,
  EXTENSION,
  id,
  listOf,
  nullable,
  oneOf,
  optional,
  total,
} from "../../kernel/fields.ts";
import { type Decimal, formatDecimal, ZERO } from "../../kernel/numbers/decimal.ts";
import { type Problem, problem, refuse } from "../../kernel/problem.ts";
import { afterService, RELATIONSHIPS } from "../../kernel/relationships.ts";
import { type Described, type Facts, type Holder, ledgerOperation } from "../operation.ts";
import type { EntryDraft, SecurityState } from "../types.ts";
import {
  type Concerned,
  concernedOn,
  continuesFindings,
  inWindow,
  isoWarning,
  lateExercise,
  lateGrant,
  newExpiration,
  noWindowWarning,
  type Option,
  stoppable,
  unvestedStock,
  vestsByAnother,
} from "./leaving-parts.ts";
import { recording, withoutNulls } from "./parts.ts";
import { dayStopped, toldStop } from "./vesting-parts.ts";

const CONTINUES_MAX = 500;

const Command = body({
  stakeholderId: id({ description: "Who leaves." }),
  cancellationReason: defaulted(
    oneOf(["TERMINATION", "FORFEITURE"], { description: "Why unvested options are cancelled." }),
    "TERMINATION",
  ),
  exerciseWithinDays: optional(
    Type.Integer({
      minimum: 0,
      maximum: 3650,
      description: "How long vested options may still be exercised; without it expirations stay.",
    }),
  ),
  relationships: optional(
    listOf(oneOf(RELATIONSHIPS), {
      description: "The stakeholder's new relationships; by default the present ones as `EX_`.",
    }),
  ),
  continues: optional(
    listOf(id(), {
      maxItems: CONTINUES_MAX,
      description: "Securities that continue unchanged; each must be one that the leaving concerns.",
      ...EXTENSION,
    }),
  ),
  ...recording,
});

/** The holder and the shares of a list's element. */
const ELEMENT = {
  securityId: id({ description: "The security." }),
  stakeholderId: nullable(
    id({ description: "The holder: the leaver, or the holder of a part of the leaver's grant." }),
  ),
  quantity: total({ description: "How many shares." }),
};

const Answer = Type.Object({
  transactionIds: Type.Array(id(), { description: "Every entry that it appended." }),
  cancelled: Type.Array(
    Type.Object({
      transactionId: id({ description: "The ledger entry." }),
      ...ELEMENT,
      returnToPool: Type.Boolean({ description: "Whether what is cancelled can be granted again." }),
    }),
    {
      description: "The unvested shares of each option, now cancelled.",
    },
  ),
  stopped: Type.Array(Type.Object({ transactionId: id({ description: "The ledger entry." }), ...ELEMENT }), {
    description: "The unvested shares of each stock security, which stop vesting.",
  }),
  exercisable: Type.Array(Type.Object({ ...ELEMENT, until: nullable(date({ description: "Its expiration." })) }), {
    description: "The vested shares of each option.",
  }),
  repurchasable: Type.Array(
    Type.Object({
      ...ELEMENT,
      pricePerShare: nullable(decimal({ description: "The price that was paid for one share." })),
    }),
    {
      description: "Unvested stock. It stays: the company may repurchase it.",
    },
  ),
});

/** `POST /api/v1/transactions/terminate-service`. */
export const terminateService = ledgerOperation({
  route: "terminate-service",
  summary: "End a person's service",
  description:
    "In one commit, for the leaver's holdings and for all open securities of families that were first issued to the " +
    "leaver: each option's shares unvested by `effectiveDate` are cancelled, to the pool if its plan says so; " +
    "vested ones may be exercised until the window ends. Unvested stock stays and stops vesting: " +
    "`accelerate-vesting` waives that, `start-vesting` ends it if the leaver returns. Securities that " +
    "`continues` names are unchanged. The stakeholder gets its new relationships, and is FORMER without securities.",
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
  needs: (command) => ({ leaver: command.stakeholderId }),
  follows(command, facts) {
    const { options, stock } = concernedOn(facts, command);
    return [...options.filter(isUnvested), ...stoppable(facts, stock)].map(({ state }) => ({ securityId: state.id }));
  },
  decide(facts, command) {
    const { effectiveDate } = command;
    refuse(continuesFindings(facts, command));
    const late = lateExercise(facts, effectiveDate);
    if (late) throw afterwards(`The exercise ${late.id} is dated ${late.effectiveDate}`);
    const holder = present(facts.holder, "who leaves");
    const { options, stock } = concernedOn(facts, command);
    const cancelled = options.filter(isUnvested);
    const stopped = stoppable(facts, stock);
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
        ...stopped.map((each) => stop(facts, each, command)),
        ...updates(holder, described, effectiveDate),
      ],
      described: [
        ...kept.flatMap(newExpiration),
        ...stopped.map((each) => stopDate(facts, each, command)),
        ...described,
      ],
      answer: {
        cancelled: cancelled.map((option) => ({
          ...element(option, option.unvested),
          returnToPool: returnsToPool(facts, option.state),
        })),
        stopped: stopped.map((each) => element(each, each.unvested)),
        exercisable: exercisable.map((option) => ({ ...element(option, option.vested), until: option.until })),
        repurchasable: unvestedStock(stock),
      },
      warnings: [
        ...exercisable.flatMap((option) => [...isoWarning(option, effectiveDate), ...noWindowWarning(option, command)]),
        ...vestsByAnother(facts, [...cancelled, ...stopped]),
      ],
    };
  },
  data: {
    schema: Answer,
    tell({ cancelled, stopped, ...answer }, transactionIds) {
      // Cancellations are the first entries, ends of vesting the next.
      const lists = [cancelled, stopped] as readonly (readonly object[])[];
      const [first = [], second = []] = lists;
      const named = (list: readonly object[], from: number) =>
        list.map((each, i) => ({ transactionId: transactionIds[from + i], ...each }));
      return { transactionIds, cancelled: named(first, 0), stopped: named(second, first.length), ...answer };
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

function isUnvested({ unvested }: Concerned): boolean {
  return unvested > ZERO;
}

function element({ state }: Concerned, quantity: Decimal) {
  return { securityId: state.id, stakeholderId: state.stakeholderId, quantity: formatDecimal(quantity) };
}

/** The entry that stops the vesting of stock, with its parcels, so that no change of terms moves them. */
function stop(facts: Facts, { state }: Concerned, command: Given): EntryDraft {
  return {
    type: "VESTING_EVENT",
    securityId: state.id,
    stakeholderId: state.stakeholderId,
    quantity: null,
    effectiveDate: command.effectiveDate,
    metadata: withoutNulls({
      vestingStopped: true,
      parcels: toldStop(facts, state, command.effectiveDate),
      boardApprovalDate: command.boardApprovalDate,
      description: command.description,
    }),
  };
}

function stopDate(facts: Facts, { state, stoppedOn }: Concerned, { effectiveDate }: Given): Described {
  return {
    resourceType: "security",
    id: state.id,
    field: "vestingStoppedOn",
    before: stoppedOn,
    after: dayStopped(facts, state, effectiveDate),
  };
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

/** The stakeholder's new description. */
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

/** Records the stakeholder's change in the ledger, and the entry that caused it. */
function updates({ row }: Holder, described: readonly Described[], effectiveDate: CalendarDate): EntryDraft[] {
  if (described.length === 0) return [];
  const changed = described.map(({ field }) => field);
  const entry = { type: "STAKEHOLDER_UPDATE", securityId: null, stakeholderId: row.id, quantity: null } as const;
  return [{ ...entry, effectiveDate, metadata: { changed } }];
}
