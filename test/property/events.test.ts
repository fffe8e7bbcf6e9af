// No visible change without an event: after each step of random histories, every record whose answer differs has events that
// name what differs, and each new or deleted one has its own. And what a restore takes away, readers are led back before.
import { afterAll, beforeAll, expect, test } from "bun:test";
import fc from "fast-check";
import { present } from "../../src/kernel/assert.ts";
import {
  BEGINNING,
  cursorAt,
  isHere,
  type Place,
  readFeedCursor,
  rewoundTo,
} from "../../src/resources/events/cursor.ts";
import { type FeedEvent, readFeed } from "../../src/resources/events/feed.ts";
import type { Reader, Tx } from "../../src/storage/database/sql.ts";
import { firstSeed, mustMeetAll, proved, seedCount } from "../kit/proof.ts";
import { Company } from "./company.ts";
import { Home } from "./home.ts";
import { decide } from "./model/decide.ts";
import { newModel } from "./model/start.ts";
import { histories } from "./steps.ts";

const HISTORIES = seedCount(12, 500);
const STEPS = 25;
const TIMEOUT_MS = 3_600_000;

const LISTS: Readonly<Record<string, string>> = {
  "/stakeholders": "stakeholder",
  "/share-classes": "share_class",
  "/securities": "security",
  "/equity-plans": "equity_plan",
  "/vesting-terms": "vesting_terms",
  "/vesting-milestones": "vesting_milestone",
  "/valuations": "valuation",
};
/** Members that follow from other records, or from the day: their events are those records' or the ledger's. */
const OF_OTHERS = ["updatedAt", "ahead", "pricePerShareToday"];

type Members = Readonly<Record<string, unknown>>;
type Shown = ReadonlyMap<string, Members>;

/** Every record of a company, by noun and id. */
function shownIn(company: Company): Shown {
  const shown = new Map<string, Members>();
  for (const [path, noun] of Object.entries(LISTS)) {
    for (let cursor: string | null = ""; cursor !== null; ) {
      const answer = company.read(path, { limit: "100", ...(cursor === "" ? {} : { cursor }) }) as {
        readonly items: readonly Members[];
        readonly nextCursor: string | null;
      };
      for (const record of answer.items) shown.set(`${noun} ${record.id}`, record);
      cursor = answer.nextCursor;
    }
  }
  return shown;
}

function eventsFrom(db: Reader, orgId: string, from: Place): { events: FeedEvent[]; place: Place } {
  const events: FeedEvent[] = [];
  for (let place = from; ; ) {
    const page = readFeed(db, { orgId, from: place, isAsked: () => true, isAdmin: true, limit: 500 });
    events.push(...page.events);
    place = page.place;
    if (!page.hasMore) return { events, place };
  }
}

/** What differs between two looks and no event names. */
function unnamed(before: Shown, after: Shown, events: readonly FeedEvent[]): string[] {
  const missing: string[] = [];
  const toldOf = (name: string, deed: string) =>
    events.filter(({ type, data }) => `${data.resourceType} ${data.resourceId}` === name && type.endsWith(`.${deed}`));
  for (const name of new Set([...before.keys(), ...after.keys()])) {
    const [was, is] = [before.get(name), after.get(name)];
    if (was === undefined || is === undefined) {
      const deed = was === undefined ? "created" : "deleted";
      if (toldOf(name, deed).length === 0) missing.push(`${name} ${deed}`);
      continue;
    }
    const changed = Object.keys(is).filter(
      (member) => !OF_OTHERS.includes(member) && !Bun.deepEquals(was[member], is[member]),
    );
    const named = new Set(toldOf(name, "updated").flatMap(({ data }) => data.changed));
    missing.push(...changed.filter((member) => !named.has(member)).map((member) => `${name} ${member}`));
  }
  return missing;
}

let home: Home;
beforeAll(async () => {
  home = await Home.open();
});
afterAll(() => home.close());

/** Runs `does` in a transaction that is rolled back. */
async function passing(does: (tx: Tx) => void): Promise<void> {
  const done = home.writer.submit((tx) => {
    does(tx);
    throw new Error("rolled back");
  });
  await done.catch((error: Error) => {
    if (error.message !== "rolled back") throw error;
  });
}

/** Goes through a history; `look` is called after each step that was done. */
function goThrough(company: Company, seed: number, look: (op: string) => void): void {
  let model = newModel();
  for (const choose of fc.sample(histories(STEPS), { numRuns: 1, seed })[0] ?? []) {
    const step = choose(model);
    if (step === null) continue;
    const decided = decide(model, step);
    if (!("after" in decided) || !company.run(step).isDone) continue;
    model = decided.after;
    look(step.op);
  }
}

test(
  `after each step of ${HISTORIES} random histories, events name every change that answers show`,
  async () => {
    const ops = new Map<string, number>();
    let found = 0;
    for (let seed = firstSeed(); seed < firstSeed() + HISTORIES; seed++) {
      await passing((tx) => {
        const company = new Company(tx);
        let [shown, { place }] = [shownIn(company), eventsFrom(tx, company.orgId, BEGINNING)];
        goThrough(company, seed, (op) => {
          const [now, read] = [shownIn(company), eventsFrom(tx, company.orgId, place)];
          expect({ seed, op, missing: unnamed(shown, now, read.events) }).toEqual({ seed, op, missing: [] });
          found += read.events.length;
          ops.set(op, (ops.get(op) ?? 0) + 1);
          [shown, place] = [now, read.place];
        });
      });
    }
    if (mustMeetAll(HISTORIES)) expect(ops.size).toBeGreaterThan(20);
    const steps = [...ops.values()].reduce((sum, count) => sum + count, 0);
    proved({
      ...{ fault: "EV1", what: "random histories whose records were compared after each step", count: HISTORIES },
      seed: `${firstSeed()}-${firstSeed() + HISTORIES - 1}`,
      result: `${steps} steps of ${ops.size} kinds, ${found} events: no change that no event names`,
    });
  },
  TIMEOUT_MS,
);

test("the control: an event or one of its members left out is noticed", async () => {
  let noticed = { events: 0, members: 0 };
  await passing((tx) => {
    const company = new Company(tx);
    let [shown, { place }] = [shownIn(company), eventsFrom(tx, company.orgId, BEGINNING)];
    goThrough(company, firstSeed(), () => {
      const [now, read] = [shownIn(company), eventsFrom(tx, company.orgId, place)];
      const withoutMember = read.events.map((event) => {
        return { ...event, data: { ...event.data, changed: event.data.changed.slice(1) } };
      });
      noticed = {
        events: noticed.events + Number(unnamed(shown, now, []).length > 0),
        members: noticed.members + Number(unnamed(shown, now, withoutMember).length > 0),
      };
      [shown, place] = [now, read.place];
    });
  });
  expect(noticed.events).toBeGreaterThan(5);
  expect(noticed.members).toBeGreaterThan(2);
});

test("cursors before a restore go on; those behind what it took away are led back to what the first one found", async () => {
  const orgId = await home.writer.submit((tx) => new Company(tx).orgId);
  const hereAt = () => {
    const { place } = eventsFrom(home.db, orgId, BEGINNING);
    return present(readFeedCursor(cursorAt(home.db, orgId, place)), "a cursor");
  };
  const step = (number: number) =>
    home.writer.submit((tx) => {
      const company = new Company(tx, orgId);
      const { items } = company.read("/stakeholders") as { readonly items: readonly Members[] };
      const { items: classes } = company.read("/share-classes") as { readonly items: readonly Members[] };
      const issued = { quantity: "1", certificateId: `R-${number}`, effectiveDate: "2026-01-15" };
      const body = { stakeholderId: items[0]?.id, stockClassId: classes[0]?.id, ...issued };
      company.call({ name: "POST /api/v1/transactions/issue-shares", body });
    });
  const before = hereAt();
  await step(1);
  const taken = hereAt();
  let beyond = taken;
  home = await home.restored(async () => {
    await step(2);
    beyond = hereAt();
  });
  expect([before, taken].map((claim) => isHere(home.db, orgId, claim))).toEqual([true, true]);
  expect(isHere(home.db, orgId, beyond)).toBe(false);
  expect(rewoundTo(home.db, orgId, beyond)).toEqual({ ledger: taken.ledger, log: taken.log });
  const { events } = eventsFrom(home.db, orgId, taken);
  expect(events.map(({ type }) => type)).toEqual(["organization.restored"]);

  await step(3);
  const second = hereAt();
  let beyondSecond = second;
  home = await home.restored(async () => {
    await step(4);
    beyondSecond = hereAt();
  });
  expect(isHere(home.db, orgId, second)).toBe(true);
  // The data does not say by which restore it was taken away: from the earliest on, nothing is missed.
  expect(rewoundTo(home.db, orgId, beyondSecond)).toEqual({ ledger: taken.ledger, log: taken.log });
  expect(rewoundTo(home.db, orgId, beyond)).toEqual({ ledger: taken.ledger, log: taken.log });
  expect(isHere(home.db, orgId, { ...second, hashes: [second.hashes[0], "0".repeat(16)] })).toBe(false);
});
