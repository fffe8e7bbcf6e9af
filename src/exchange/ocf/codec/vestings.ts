// Codec of `vestings[]` of issuances ↔ the parcels of a security: exact days and amounts, which win over the vesting
// terms (OCF). Shares that wait for an event without a day have no member there: a comment of ours names them. Pure.
import { formatDecimal, isDecimalText, parseDecimal, ZERO } from "../../../kernel/numbers/decimal.ts";
import { inOrderOfDate, type Parcel, type Parcels, parcelOn } from "../../../ledger/vesting/parcels.ts";
import { tellParcels } from "../../../ledger/vesting/parcels-json.ts";
import { dateOf, decimalOf, isObject, type JsonObject, objectsOf, textOf, textsOf } from "../json.ts";

/** What a comment of ours begins with that names the shares which wait, or vest no more; JSON follows. */
const WAITING = "Waiting to vest: ";

/** The members of an issuance that say how its shares vest. */
export interface VestingMembers {
  readonly vestings: readonly JsonObject[] | undefined;
  /** Names the waiting shares, for programs that read our comments; null without any. */
  readonly comment: string | null;
}

/** Writes parcels: dated ones as `vestings[]`, what waits in a comment. */
export function vestingsToOcf(parcels: Parcels): VestingMembers {
  const dated = parcels.flatMap(({ date, quantity }) =>
    date === null ? [] : [{ date, amount: formatDecimal(quantity) }],
  );
  const waiting = parcels.filter(({ date }) => date === null).map(waitingToJson);
  return {
    vestings: dated.length === 0 ? undefined : dated,
    comment: waiting.length === 0 ? null : WAITING + JSON.stringify(waiting),
  };
}

function waitingToJson({ conditionId, occurrence, milestoneId, quantity, stopped }: Parcel): JsonObject {
  const amount = formatDecimal(quantity);
  const ended = stopped ? { stopped: stopped.on, ...(stopped.day === null ? {} : { date: stopped.day }) } : {};
  if (conditionId !== null) return { amount, condition: conditionId, occurrence, ...ended };
  return { amount, ...(milestoneId === null ? {} : { milestone: milestoneId }), ...ended };
}

/** The parcels that an issuance names, by date, then what our own comment says is waiting; null where it names none. */
export function vestingsFromOcf(value: JsonObject): Parcels | null {
  const dated = objectsOf(value, "vestings").flatMap((vesting) => {
    const [date, amount] = [dateOf(vesting, "date"), decimalOf(vesting, "amount")];
    return date === null || amount === null || amount <= ZERO ? [] : [parcelOn(date, amount)];
  });
  const parcels = inOrderOfDate([...dated, ...textsOf(value, "comments").flatMap(waitingFromComment)]);
  return parcels.length === 0 ? null : parcels;
}

/** Whether a comment of an issuance is ours, and names waiting shares. */
export function isWaitingComment(comment: string): boolean {
  return waitingFromComment(comment).length > 0;
}

function waitingFromComment(comment: string): Parcel[] {
  if (!comment.startsWith(WAITING)) return [];
  const told = parse(comment.slice(WAITING.length));
  return told.flatMap((each) => {
    const amount = textOf(each, "amount");
    if (amount === null || !isDecimalText(amount)) return [];
    const conditionId = textOf(each, "condition");
    const occurrence = typeof each.occurrence === "number" ? each.occurrence : 0;
    const on = dateOf(each, "stopped");
    const waiting = {
      ...{ ...parcelOn(null, parseDecimal(amount)), milestoneId: textOf(each, "milestone") },
      ...(on === null ? {} : { stopped: { on, day: dateOf(each, "date") } }),
    };
    return [conditionId === null ? waiting : { ...waiting, conditionId, occurrence }];
  });
}

function parse(text: string): JsonObject[] {
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) ? value.filter(isObject) : [];
  } catch {
    return [];
  }
}

/** What an issuance says of its vesting as a security's column `vestings` holds it. */
export function vestingsColumn(value: JsonObject): string | null {
  const parcels = vestingsFromOcf(value);
  return parcels === null ? null : JSON.stringify(tellParcels(parcels));
}
