// terminate-service: a person's service ends. What has not vested of their options goes, what has stays for a while;
// what has not vested of their stock vests no more.
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
  continues: optional(
    listOf(id(), {
      maxItems: CONTINUES_MAX,
      description: "Securities that go on as they are, each of those that the leaving concerns.",
      ...EXTENSION,
    }),
  ),
  ...recording,
});

/** Whose an element of a list is, and of how many shares. */
const ELEMENT = {
  securityId: id(),
  stakeholderId: nullable(id({ description: "Who holds it: the leaver, or who has a part of the leaver's grant." })),
  quantity: total(),
};

const Answer = Type.Object({
  transactionIds: Type.Array(id(), { description: "Every entry that it appended." }),
  cancelled: Type.Array(Type.Object({ transactionId: id(), ...ELEMENT, returnToPool: Type.Boolean() }), {
    description: "What had not vested of each option.",
  }),
  stopped: Type.Array(Type.Object({ transactionId: id(), ...ELEMENT }), {
    description: "What had not vested of each stock security: it vests no more.",
  }),
  exercisable: Type.Array(Type.Object({ ...ELEMENT, until: nullable(date({ description: "Its expiration." })) }), {
    description: "What has vested of each option.",
  }),
  repurchasable: Type.Array(Type.Object({ ...ELEMENT, pricePerShare: nullable(decimal()) }), {
    description: "Stock that has not vested. It stays: to repurchase it is the company's choice.",
  }),
});

/** `POST /api/v1/transactions/terminate-service`. */
export const terminateService = ledgerOperation({
  route: "terminate-service",
  summary: "End somebody's service",
  description:
    "In one commit, of what the leaver holds and of all open securities of families that were first issued to the " +
    "leaver: of each option what has not vested by `effectiveDate` is cancelled, to the pool where its plan says so; " +
    "what has vested keeps, and may be exercised until the window ends. Unvested stock stays and vests no more: " +
    "`accelerate-vesting` waives that, `start-vesting` ends it where the leaver is back. Both leave out what " +
    "`continues` names. The stakeholder gets its new relationships, and is FORMER where it holds nothing any more.",
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

/** The entry by which the vesting of stock stops, with its parcels, so that no change of terms moves them. */
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
