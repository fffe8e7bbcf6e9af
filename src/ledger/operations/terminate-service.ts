// terminate-service: somebody leaves. What has not vested of their options goes, what has stays for a while.
import { type Static, Type } from "@sinclair/typebox";
import { present } from "../../kernel/assert.ts";
import { addDays, addMonths, type CalendarDate } from "../../kernel/date.ts";
import { type Decimal, formatDecimal, min, ZERO } from "../../kernel/decimal.ts";
import { body, date, decimal, defaulted, id, listOf, nullable, oneOf, optional, total } from "../../kernel/fields.ts";
import { problem } from "../../kernel/problem.ts";
import { afterService, RELATIONSHIPS } from "../../kernel/relationships.ts";
import { type Described, type Facts, type Holder, ledgerOperation } from "../operation.ts";
import type { EntryDraft, SecurityState } from "../types.ts";
import { recording, withoutNulls } from "./parts.ts";
import { unvestedOn } from "./vesting-parts.ts";

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
  warnings: Type.Array(
    Type.Object({
      code: Type.String({ description: "The kind of warning, for programs.", examples: ["iso-window"] }),
      detail: Type.String({ examples: ["The ISO 0190f5a2-… may be exercised until 2030-01-01."] }),
    }),
    { description: "What is allowed, and odd." },
  ),
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
    // That an exercise stands in the way is told with its id.
    if (lateExercise(facts, effectiveDate)) return [];
    const isCancelled = ({ unvested }: Option) => unvested > ZERO;
    return optionsOn(facts, effectiveDate)
      .filter(isCancelled)
      .map(({ state }) => ({ securityId: state.id }));
  },
  decide(facts, command) {
    const { effectiveDate } = command;
    const late = lateExercise(facts, effectiveDate);
    if (late) {
      const detail = `The exercise ${late.id} is dated ${late.effectiveDate}, after the service would have ended.`;
      throw problem("invalid-state", detail);
    }
    const holder = present(facts.holder, "who leaves");
    const options = optionsOn(facts, effectiveDate);
    const cancelled = options.filter(({ unvested }) => unvested > ZERO);
    const kept = options.filter(({ vested }) => vested > ZERO).map((option) => inWindow(option, command));
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
        warnings: exercisable.flatMap((option) => isoWarning(option, effectiveDate)),
      },
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

/** An open option of the leaver, as it stands on the day. */
interface Option {
  readonly state: SecurityState;
  readonly vested: Decimal;
  readonly unvested: Decimal;
  readonly expirationDate: CalendarDate | null;
  readonly optionType: string | null;
}

/** An option of which something has vested, and until when that may be exercised. */
interface Kept extends Option {
  readonly until: CalendarDate | null;
}

function lateExercise({ holder }: Facts, effectiveDate: CalendarDate) {
  return holder?.exercises.find((exercise) => exercise.effectiveDate > effectiveDate);
}

function heldAs({ state, holder }: Facts, type: SecurityState["type"]): SecurityState[] {
  return (holder?.holds ?? []).map((securityId) => state.security(securityId)).filter((each) => each.type === type);
}

function optionsOn(facts: Facts, day: CalendarDate): Option[] {
  return heldAs(facts, "STOCK_OPTION").map((state) => {
    const unvested = min(unvestedOn(facts, state, day), state.quantity);
    const { expirationDate, optionType } = present(facts.securities.get(state.id), "the option's row");
    return { state, unvested, vested: state.quantity - unvested, expirationDate, optionType };
  });
}

/** What vested may be exercised until its expiration, or the window's end where that is earlier. */
function inWindow(option: Option, { effectiveDate, exerciseWithinDays = null }: Given): Kept {
  const { expirationDate } = option;
  const end = exerciseWithinDays === null ? null : addDays(effectiveDate, exerciseWithinDays);
  const isEarlier = end !== null && (expirationDate === null || end < expirationDate);
  return { ...option, until: isEarlier ? end : expirationDate };
}

function newExpiration({ state, expirationDate: before, until: after }: Kept): Described[] {
  if (before === after) return [];
  return [{ resourceType: "security", id: state.id, field: "expirationDate", before, after }];
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

function unvestedStock(facts: Facts, day: CalendarDate): object[] {
  return heldAs(facts, "STOCK").flatMap((state) => {
    const unvested = min(unvestedOn(facts, state, day), state.quantity);
    if (unvested === ZERO) return [];
    return [{ securityId: state.id, quantity: formatDecimal(unvested), pricePerShare: state.pricePerShare }];
  });
}

const ISO_MONTHS = 3;

/** What is exercised later than three months after the employment is no ISO any more (section 422 of the US tax code). */
function isoWarning({ state, optionType, until }: Kept, effectiveDate: CalendarDate): object[] {
  const last = addMonths(effectiveDate, ISO_MONTHS);
  if (optionType !== "ISO" || (until !== null && until <= last)) return [];
  const end = until === null ? "at any time" : `until ${until}`;
  const detail = `The ISO ${state.id} may be exercised ${end}; after ${last} it is taxed as an NSO.`;
  return [{ code: "iso-window", detail }];
}
