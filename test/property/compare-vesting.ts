// Whether the service tells of vesting what the model does.
import { expect } from "bun:test";
import type { Company } from "./company.ts";
import { LAST_DAY, viewOf } from "./model/dates.ts";
import { haltedOn, held, vestedBy, waitingIn } from "./model/parcels.ts";
import type { Parcel } from "./model/schedule.ts";
import { type Model, vestingOf } from "./model/state.ts";
import { show, total, type Units, units } from "./model/units.ts";
import { isPlain, onDay } from "./model/vesting.ts";

interface ToldParcel {
  readonly date: string | null;
  readonly conditionId: string | null;
  readonly milestoneId: string | null;
  readonly quantity: string;
}

/** What `GET /securities/{id}/vesting` answers. */
export interface VestingAnswer {
  readonly quantity: string;
  readonly vested: string;
  readonly unvested: string;
  readonly unscheduled: string;
  readonly exercised: string;
  readonly earlyExercised: string;
  readonly grantSecurityId: string;
  readonly vestingStoppedOn: string | null;
  readonly events: readonly { readonly date: string; readonly quantity: string }[];
  readonly parcels: readonly ToldParcel[];
}

/** Asks how a security vests, as of a day. */
export function askVesting(company: Company, security: number, asOf: string): VestingAnswer {
  return company.read("/securities/:id/vesting", { asOf }, company.ids.securities[security]) as VestingAnswer;
}

/** Expects of some securities what the model says of them, as of a day. */
export function expectVesting(company: Company, model: Model, day: string, securities: readonly number[]): void {
  const { counted, state } = viewOf(model, day);
  // A grant's schedule is shown before its day too.
  const told = new Set([
    ...counted,
    ...model.log.flatMap(({ effect }, index) => (effect.does === "issue" ? [index] : [])),
  ]);
  for (const security of securities) {
    if (model.securities[security]?.isDeleted !== false) continue;
    const answer = askVesting(company, security, day);
    const outstanding = total(answer.parcels.map((parcel) => units(parcel.quantity)));
    const { isGrant, granted } = vestingOf(model, security);
    const there = state.securities[security]?.quantity ?? (isGrant ? granted : 0n);
    expect({ security, day, outstanding: show(outstanding) }).toEqual({ security, day, outstanding: show(there) });
    if (!isInOrder(model, security, counted)) continue;
    const { list, kept, early } = onDay(model, security, told);
    const quantity = held(list) + kept;
    const vested = vestedBy(list, day) + kept;
    const key = keyFor(model, security);
    expect({ security, day, ...figures(answer, key) }).toEqual({
      security,
      day,
      quantity: show(quantity),
      vested: show(vested),
      unvested: show(quantity - vested),
      unscheduled: show(waitingIn(list)),
      exercised: show(kept + early),
      earlyExercised: show(early),
      vestingStoppedOn: haltedOn(list),
      parcels: parcelsOf(company, list, key),
      grant: company.ids.securities[vestingOf(model, security).grant] ?? "",
    });
  }
}

/**
 * Whether what counts on a day of a security and those that it came of is what the ledger has first. Where the days go
 * against the ledger's order, no rule says which shares an entry takes on a day on which one before it does not count
 * yet; what must hold then stands in family.ts.
 */
function isInOrder(model: Model, security: number, counted: ReadonlySet<number>): boolean {
  const line = lineOf(model, security);
  const milestones = model.milestones.filter(({ security: holder }) => line.has(holder));
  let isCounted = true;
  for (const [index, { effect }] of model.log.entries()) {
    const concerned = effect.does === "issue" ? effect.made : "security" in effect ? effect.security : null;
    if (concerned === null ? effect.does !== "split" : !line.has(concerned)) continue;
    const counts = (effect.does === "tell" && !effect.isDated) || counted.has(index);
    if (counts && !isCounted) return false;
    if (!counts && milestones.some(({ since }) => since > index)) return false;
    isCounted = counts;
  }
  return true;
}

/** The security, what it was made of, and so on up to the grant. */
function lineOf(model: Model, security: number): Set<number> {
  const line = new Set([security]);
  for (const { effect } of model.log.toReversed())
    if (effect.does === "move" && line.has(effect.made)) line.add(effect.security);
  return line;
}

function figures(answer: VestingAnswer, key: Key) {
  const { quantity, vested, unvested, unscheduled, exercised, earlyExercised, grantSecurityId, parcels } = answer;
  return {
    quantity: plain(quantity),
    vested: plain(vested),
    unvested: plain(unvested),
    unscheduled: plain(unscheduled),
    exercised: plain(exercised),
    earlyExercised: plain(earlyExercised),
    vestingStoppedOn: answer.vestingStoppedOn,
    parcels: summed(parcels.map((each) => [key(each), units(each.quantity)])),
    grant: grantSecurityId,
  };
}

/** A list as the service tells it. */
function parcelsOf({ ids }: Company, list: readonly Parcel[], key: Key) {
  const told = list.map(({ date, condition: conditionId, milestone, quantity }) => {
    const milestoneId = milestone === null ? null : (ids.milestones[milestone] ?? "");
    return [key({ date, conditionId, milestoneId }), quantity] as const;
  });
  return summed(told);
}

/** What makes parcels the same. */
type Key = (parcel: Omit<ToldParcel, "quantity">) => string;

/**
 * By their day, or what they wait for. On which day shares without terms vested is of no account, nor on which one what
 * had vested when the list became the security's own: of that the ledger keeps no days.
 */
function keyFor(model: Model, security: number): Key {
  const entry = vestingOf(model, security).own?.until?.entry;
  const settled = isPlain(model, security) ? LAST_DAY : entry === undefined ? "" : (model.log[entry]?.date ?? "");
  return ({ date, conditionId, milestoneId }) => {
    if (date === null) return `waits for ${conditionId} ${milestoneId}`;
    return date <= settled ? "vested" : date;
  };
}

/** The sum for each key: one day's parcels may be shown as one or as several. */
function summed(parts: readonly (readonly [key: string, quantity: Units])[]): Readonly<Record<string, string>> {
  const sums = new Map<string, Units>();
  for (const [key, quantity] of parts) sums.set(key, (sums.get(key) ?? 0n) + quantity);
  return Object.fromEntries([...sums].map(([key, sum]) => [key, show(sum)]));
}

const plain = (text: string): string => show(units(text));
