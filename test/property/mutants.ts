// Falsifications, each of one rule: of the second cap table, which then expects what is wrong, or of the service, which
// then hears or tells what is wrong. The histories must notice every one.
import { afterwards, asIf, hearing, type Mutant, telling, without } from "./falsify.ts";
import { TODAY } from "./model/dates.ts";
import { decide } from "./model/decide.ts";
import type { Fact } from "./model/facts.ts";
import { vestedOn } from "./model/parcels.ts";
import { type Model, planOf, securityOf, vestingOf } from "./model/state.ts";

/** All that the last security made has, vested on the day of the step. */
function vestLast(after: Model, date: string): void {
  const made = after.vesting.at(-1);
  if (made?.own) made.own = { ...made.own, parcels: vestedOn(date, made.granted) };
}

const POOLS: readonly Mutant[] = [
  { name: "what a move makes has no charge", within: 60, from: 3, rules: { movesTakeChargeAlong: false } },
  {
    name: "a return gives back shares, not the charge",
    within: 60,
    from: 13,
    often: ["issue-options", "split", "exercise", "convert", "cancel"],
    rules: { returnsGiveTheCharge: false },
  },
  {
    name: "a split multiplies plans for several classes",
    within: 60,
    from: 22,
    rules: { splitsLeaveSharedPlans: false },
  },
  {
    name: "what a conversion makes charges its quantity",
    within: 60,
    often: ["issue-options", "exercise", "convert"],
    decides: afterwards(["convert"], ({ securities }) => {
      const made = securities.at(-1);
      if (made && made.charge > 0n) made.charge = made.quantity;
    }),
  },
  {
    name: "a charge that is returned stays, and can be returned again",
    within: 60,
    from: 3,
    decides: afterwards(["cancel", "repurchase"], (after, { security, returnToPool }, before) => {
      if (returnToPool) securityOf(after, security).charge = securityOf(before, security).charge;
    }),
  },
  {
    name: "a split leaves the charges of closed securities",
    within: 60,
    from: 10,
    often: ["issue-options", "patch-security", "split"],
    decides: afterwards(["split"], (after, _step, before) => {
      for (const [index, security] of after.securities.entries()) {
        if (security?.status !== "ACTIVE") Object.assign(security ?? {}, { charge: before.securities[index]?.charge });
      }
    }),
  },
  {
    name: "a rise from nothing is charged one for one",
    within: 1_500,
    from: 1_460,
    often: ["issue-options", "split", "cancel", "resize"],
    decides: (before, step) => {
      const securities = before.securities.map((each) => each && { ...each, rate: { charge: 0n, quantity: 0n } });
      return decide({ ...before, securities }, step);
    },
  },
  {
    name: "a deleted grant stays used up",
    within: 60,
    from: 7,
    decides: afterwards(["delete-security"], (after, { security }, before) => {
      const { plan } = securityOf(before, security);
      if (plan !== null) planOf(after, plan).available = planOf(before, plan).available;
    }),
  },
];

const isOther = (fact: Fact): boolean => fact.is !== "accelerated";

const VESTING: readonly Mutant[] = [
  { name: "a cancellation takes vested shares first", within: 60, from: 10, rules: { cutsTakeUnvestedFirst: false } },
  {
    name: "a transfer vests what it moves",
    within: 60,
    from: 3,
    decides: afterwards(["transfer"], (after, { date }) => vestLast(after, date)),
  },
  {
    name: "a conversion vests what it moves",
    within: 60,
    from: 16,
    decides: afterwards(["convert"], (after, { date }) => vestLast(after, date)),
  },
  {
    name: "what a transfer leaves vests by its terms still",
    within: 60,
    from: 10,
    often: ["issue-options", "transfer", "patch-terms"],
    decides: afterwards(["transfer"], (after, { security }, before) => {
      const { own, facts } = vestingOf(before, security);
      const left = vestingOf(after, security).facts.at(-1);
      if (own === null && left) Object.assign(vestingOf(after, security), { own, facts: [...facts, left] });
    }),
  },
  {
    name: "a transfer loses acceleration",
    within: 60,
    from: 17,
    often: ["issue-options", "accelerate-vesting", "transfer"],
    decides: (before, step) => {
      if (step.op !== "transfer") return decide(before, step);
      const vesting = before.vesting.map((each) => ({ ...each, facts: each.facts.filter(isOther) }));
      return decide({ ...before, vesting }, step);
    },
  },
  {
    name: "an early exercise counts as one of vested shares",
    within: 60,
    from: 35,
    decides: afterwards(["exercise"], (after, { security }) => {
      const vesting = vestingOf(after, security);
      vesting.facts = vesting.facts.map((fact) => (fact.is === "exercised" ? { ...fact, early: 0n } : fact));
    }),
  },
  {
    name: "a split leaves what a milestone holds as it is",
    within: 60,
    from: 11,
    often: ["issue-options", "add-milestone", "split"],
    decides: afterwards(["split"], (after) => {
      for (const vesting of after.vesting) {
        const isHold = ({ is }: Fact) => is === "set-apart";
        vesting.facts = [...vesting.facts.filter((fact) => !isHold(fact)), ...vesting.facts.filter(isHold)];
      }
    }),
  },
  {
    name: "a milestone vests in its own security alone",
    within: 60,
    often: ["issue-options", "add-milestone", "transfer", "complete-milestone"],
    decides: afterwards(["complete-milestone"], (after, { milestone }) => {
      const own = after.milestones[milestone]?.security;
      for (const [index, vesting] of after.vesting.entries()) {
        if (index !== own) vesting.facts = vesting.facts.filter(({ is }) => is !== "reached");
      }
    }),
  },
  {
    name: "it is unknown how many vested shares go",
    within: 60,
    from: 3,
    often: ["issue-options", "transfer", "cancel"],
    decides: asIf((step) => ("vested" in step ? { ...step, vested: null } : step)),
  },
];

const LEAVING: readonly Mutant[] = [
  {
    name: "what stops goes on by its days",
    within: 60,
    often: ["issue-shares", "terminate-service"],
    decides: afterwards(["terminate-service"], (after) => {
      for (const vesting of after.vesting) vesting.facts = vesting.facts.filter(({ is }) => is !== "ended");
    }),
  },
  {
    name: "a return moves no day",
    within: 200,
    often: ["issue-shares", "terminate-service", "start-vesting"],
    decides: afterwards(["start-vesting"], (after) => {
      for (const vesting of after.vesting) {
        vesting.facts = vesting.facts.map((fact) => (fact.is === "returned" ? { ...fact, date: fact.on } : fact));
      }
    }),
  },
  {
    name: "what came of a grant goes on in other hands",
    within: 200,
    often: ["issue-shares", "transfer", "terminate-service"],
    decides: afterwards(["terminate-service"], (after, { holder }) => {
      for (const [index, vesting] of after.vesting.entries()) {
        if (after.securities[index]?.holder === holder) continue;
        vesting.facts = vesting.facts.filter(({ is }) => is !== "ended");
      }
    }),
  },
  {
    name: "what a transfer makes of it vests again",
    within: 200,
    often: ["issue-shares", "terminate-service", "transfer"],
    decides: afterwards(["transfer"], (after) => {
      const made = after.vesting.at(-1);
      if (!made?.own) return;
      const parcels = made.own.parcels.map(({ halted, ...each }) => (halted ? { ...each, date: halted.day } : each));
      made.own = { ...made.own, parcels };
    }),
  },
  {
    name: "the service does not hear what goes on",
    within: 200,
    often: ["issue-shares", "terminate-service"],
    found: hearing((body) => without(body, "continues")),
  },
];

const DAYS: readonly Mutant[] = [
  { name: "an entry counts before what it needs is there", within: 60, rules: { unfoundedEntriesWait: false } },
  {
    name: "limits bind today only",
    within: 60,
    often: ["issue-options", "adjust-reserve"],
    rules: { limitsBindOnLaterDays: false },
  },
  {
    name: "what is dated in the future counts at once",
    within: 60,
    decides: asIf((step) => ("date" in step && step.date > TODAY ? { ...step, date: TODAY } : step)),
  },
  {
    name: "what is dated in the past counts from today",
    within: 60,
    decides: asIf((step) => ("date" in step && step.date < TODAY ? { ...step, date: TODAY } : step)),
  },
  {
    name: "a retraction may bear any day",
    within: 60,
    decides: (before, step) => decide(step.op === "retract" ? { ...before, log: [] } : before, step),
  },
  {
    name: "a split rounds up whatever it says",
    within: 60,
    often: ["issue-shares", "split"],
    decides: asIf((step) => (step.op === "split" ? { ...step, rounding: "UP" } : step)),
  },
];

const SERVICE: readonly Mutant[] = [
  {
    name: "the service does not hear returnToPool",
    within: 60,
    from: 3,
    found: hearing((body) => without(body, "returnToPool")),
  },
  {
    name: "the service does not hear vestedQuantity",
    within: 60,
    from: 3,
    often: ["issue-options", "transfer", "cancel"],
    found: hearing((body) => without(body, "vestedQuantity")),
  },
  {
    name: "the service exercises early unasked",
    within: 60,
    from: 3,
    found: hearing((body, name) => (name.endsWith("/exercise") ? { ...body, earlyExercise: true } : body)),
  },
  {
    name: "the service dates everything today",
    within: 60,
    found: hearing((body) => ("effectiveDate" in body ? { ...body, effectiveDate: TODAY } : body)),
  },
  {
    name: "a view leaves out what is to come",
    within: 60,
    found: telling("/cap-table", (asOf) => [asOf, TODAY].toSorted()[0] ?? asOf),
  },
  {
    name: "a view of a past day is that of today",
    within: 60,
    found: telling("/cap-table", (asOf) => [asOf, TODAY].toSorted()[1] ?? asOf),
  },
  {
    name: "vesting is told as of today",
    within: 60,
    found: telling("/securities/:id/vesting", () => TODAY),
  },
];

/** All falsifications. */
export const MUTANTS: readonly Mutant[] = [...POOLS, ...VESTING, ...LEAVING, ...DAYS, ...SERVICE];
