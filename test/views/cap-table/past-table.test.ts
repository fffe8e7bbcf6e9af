// Past days that are looked up, against a replay of the whole ledger for each, over random companies; and every kind of
// entry, a late one too, would be missed.

import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import fc from "fast-check";
import { addDays, type CalendarDate, dayNumber } from "../../../src/kernel/date.ts";
import { Problem } from "../../../src/kernel/problem.ts";
import { END_OF_TIME } from "../../../src/kernel/runtime.ts";
import { loadPastFacts, PastDays, pastSource, readPastDays } from "../../../src/ledger/past/past-days.ts";
import { iterateEvery, type PlacedRow } from "../../../src/ledger/past/store.ts";
import { readEntry } from "../../../src/ledger/replay/event.ts";
import { toDraft } from "../../../src/ledger/replay/replay.ts";
import { beginSplit, findSplitUnderWay, recordNextPiece } from "../../../src/ledger/splits/split-under-way.ts";
import { findHead } from "../../../src/ledger/store.ts";
import { saysWhen } from "../../../src/ledger/vested/vesting-stops.ts";
import { shownAt } from "../../../src/views/cap-table/fold.ts";
import { Past, pastTable } from "../../../src/views/cap-table/past-table.ts";
import { layOutTable } from "../../../src/views/cap-table/table.ts";
import { readView, type Shown } from "../../../src/views/cap-table/view.ts";
import { firstSeed } from "../../kit/proof.ts";
import { seeded } from "../../kit/random.ts";
import { RELEASE } from "../../kit/release.ts";
import { jsonOf } from "../../kit/reply.ts";
import { Company, newCall } from "../../property/company.ts";
import { TODAY } from "../../property/model/dates.ts";
import { decide } from "../../property/model/decide.ts";
import { newModel } from "../../property/model/start.ts";
import type { Step } from "../../property/model/step.ts";
import { openPlace, type Place } from "../../property/place.ts";
import { histories } from "../../property/steps.ts";

setDefaultTimeout(3_600_000);

const COMPANIES = RELEASE ? 1_000 : 100;
const DAYS = RELEASE ? 200 : 20;
const STEPS = 30;

let place: Place;
beforeAll(async () => {
  place = await openPlace();
});
afterAll(() => place.close());

const told = (shown: Shown) => JSON.stringify(layOutTable(shown));

/** What a replay of the whole ledger says of a day: the answer, and each security. */
function replayed({ tx, orgId }: Company, asOf: CalendarDate): string {
  const view = readView(tx, orgId, { asOf, knownAt: END_OF_TIME });
  const held = view.open.map((security) => {
    const { id, type, stakeholderId, stockClassId, equityPlanId, quantity } = security;
    return [id, type, stakeholderId, stockClassId, equityPlanId, quantity, view.unvested(security)].join(" ");
  });
  return [told(view), ...held.sort()].join("\n");
}

/** What is looked up of it. */
function lookedUp({ tx, orgId }: Company, past: PastDays, asOf: CalendarDate): string {
  const held = past.linesOn(asOf).map(({ id, type, stakeholderId, stockClassId, equityPlanId, quantity, course }) => {
    const left = course?.(dayNumber(asOf)) ?? 0n;
    const unvested = left < quantity ? left : quantity;
    return [id, type, stakeholderId, stockClassId, equityPlanId, quantity, unvested].join(" ");
  });
  return [told(pastTable(tx, orgId, past, asOf)), ...held.sort()].join("\n");
}

function eventOf(row: PlacedRow) {
  const draft = toDraft(row);
  if (draft === null) throw new Error(`the meaning of a ${row.type}`);
  return readEntry(draft, row.sequence);
}

type Fault = (rows: readonly PlacedRow[]) => readonly PlacedRow[] | null;

/** Leaves out the last entry of a kind; null if the company has no such entry. */
const without =
  (isIt: (event: ReturnType<typeof eventOf>, row: PlacedRow) => boolean): Fault =>
  (rows) => {
    const at = rows.findLastIndex((row) => isIt(eventOf(row), row));
    return at === -1 ? null : rows.toSpliced(at, 1);
  };

/** Leaves out all of a kind, likewise. */
const withoutAny =
  (isIt: (event: ReturnType<typeof eventOf>) => boolean): Fault =>
  (rows) => {
    const left = rows.filter((row) => !isIt(eventOf(row)));
    return left.length === rows.length ? null : left;
  };

/** What a past that is worked out wrongly may have overlooked. */
const FAULTS: Readonly<Record<string, Fault>> = {
  "an issuance": without(({ kind }) => kind === "issued"),
  "a move": without(({ kind }) => kind === "moved"),
  "a cancellation": without(({ how }) => how === "cancellation"),
  "a retraction": without(({ how }) => how === "retraction"),
  "a split": without((event) => event.kind === "split" && event.split.securityIds === null),
  "a piece of a split": without((event) => event.kind === "split" && event.split.securityIds !== null),
  "a direct edit": without(({ kind, said }) => kind === "edited" && !said.isCorrection),
  "a correction": without(({ kind, said }) => kind === "edited" && said.isCorrection),
  // An edit of a class is two entries, of which each says it.
  "a change of class": withoutAny(({ said }) => typeof said.after.stockClassId === "string"),
  "an adjustment": without(({ kind }) => kind === "adjusted"),
  "the end of a leaver's vesting": without(({ said }) => said.vestingStopped === true),
  "what says when shares vest": withoutAny(saysWhen),
  "an entry dated ahead": without(({ entry }) => entry.effectiveDate > TODAY),
  "the order of recording": (rows) => {
    const byDay = rows.toSorted((a, b) => (a.effectiveDate < b.effectiveDate ? -1 : 1));
    const isSame = byDay.every((row, at) => row === rows[at]);
    return isSame ? null : byDay.map((row, at) => ({ ...row, sequence: at + 1 }));
  },
  "the day from which an entry counts": (rows) => {
    const isLate = (row: PlacedRow) => eventOf(row).said.countsFrom !== null;
    const plain = (row: PlacedRow) => ({ ...row, metadata: (row.metadata ?? "").replace('"countsFrom"', '"counted"') });
    return rows.some(isLate) ? rows.map((row) => (isLate(row) ? plain(row) : row)) : null;
  },
};

/** Days on which something happens, the days beside them, and some others. */
function daysOf(rows: readonly PlacedRow[], below: (count: number) => number): readonly CalendarDate[] {
  const days = rows.flatMap((row) => [row.effectiveDate, eventOf(row).day]);
  return Array.from({ length: DAYS }, (_, turn) => {
    const day = days[below(days.length)] ?? TODAY;
    return turn % 4 === 3 ? addDays(day, below(2_000) - 1_000) : addDays(day, below(3) - 1);
  });
}

type Answered = { readonly data?: { readonly securityId?: string } };

/** Does something that may be refused: then nothing was done, and it comes to null. */
function attempted<T>({ tx: { sqlite } }: Company, act: () => T): T | null {
  sqlite.exec("SAVEPOINT attempt");
  try {
    return act();
  } catch (error) {
    sqlite.exec("ROLLBACK TO attempt");
    if (!(error instanceof Problem)) throw error;
    return null;
  } finally {
    sqlite.exec("RELEASE attempt");
  }
}

/** Calls a route; what it answers of the entry. */
function attempt(company: Company, name: string, body: object, id?: string) {
  const asked = { name, body: { ...body }, ...(id === undefined ? {} : { id }) };
  return attempted(company, () => (jsonOf(company.call(asked)) as Answered).data ?? null);
}

/** What the histories have no steps for: stock granted after it was issued, and corrections of what was issued. */
function actBesides(company: Company, turn: number): void {
  const { securities } = company.ids;
  const id = securities[turn % securities.length];
  if (id === undefined) return;
  const corrected = { securityId: id, reason: "As the paper says", quantity: String(1 + turn * 7) };
  if (turn % 6 === 5) attempt(company, "PATCH /api/v1/securities/:id", { grantDate: "2024-02-03" }, id);
  if (turn % 6 === 3) attempt(company, "POST /api/v1/transactions/correct", corrected);
}

/** A transfer dated before the entries on which it counts for good: the shares are there, then they are not, then again. */
function transferLate(company: Company): void {
  const [stakeholderId, toStakeholderId] = company.ids.holders;
  const [stockClassId] = company.ids.classes;
  const act = (name: string, body: object) => attempt(company, `POST /api/v1/transactions/${name}`, body);
  const issue = { stakeholderId, stockClassId, quantity: "100", certificateId: "LATE-1", effectiveDate: "2020-01-01" };
  const securityId = act("issue-shares", issue)?.securityId;
  if (typeof securityId !== "string") return;
  company.ids.securities.push(securityId);
  const cancelled = { securityId, quantity: "90", cancellationReason: "FORFEITURE", effectiveDate: "2020-03-01" };
  act("cancel", cancelled);
  act("split", { stockClassId, numerator: 10, denominator: 1, effectiveDate: "2020-06-01" });
  const moved = { securityId, fromStakeholderId: stakeholderId, toStakeholderId, quantity: "50" };
  act("transfer", { ...moved, effectiveDate: "2020-02-01" });
}

/** An end of service that stops the vesting of stock, and a return. */
function leave(company: Company): void {
  const [, stakeholderId] = company.ids.holders;
  const [stockClassId] = company.ids.classes;
  const [vestingTermsId] = company.ids.terms;
  const act = (name: string, body: object) => attempt(company, `POST /api/v1/transactions/${name}`, body);
  const vesting = { vestingTermsId, vestingStartDate: "2021-01-01" };
  const issue = { stakeholderId, stockClassId, quantity: "48", certificateId: "LEFT-1", effectiveDate: "2021-01-01" };
  act("issue-shares", { ...issue, ...vesting });
  act("terminate-service", { stakeholderId, effectiveDate: "2022-03-04" });
}

/** A split as an import makes it, piece by piece, of a class that is still there. */
function splitInPieces(company: Company): void {
  const { tx, orgId, ids } = company;
  const [stockClassId = ""] = ids.classes;
  const split = { stockClassId, numerator: "2", denominator: "1", date: "2025-09-09" };
  const call = newCall(orgId, "POST /api/v1/cap-table/ocf-import");
  let left = beginSplit(tx, orgId, { ...split, objectType: "TX_STOCK_CLASS_SPLIT", objectId: "split" });
  while (!recordNextPiece(tx, call, left).isLast) left = findSplitUnderWay(tx, orgId, stockClassId) ?? left;
}

type Choices = readonly ((model: ReturnType<typeof newModel>) => Step | null)[];

/** Lives a history, step by step; what the histories have no steps for comes besides. */
function* lives(company: Company, choices: Choices): Generator<number> {
  let model = newModel();
  if (choices.length % 3 === 0) transferLate(company);
  if (choices.length % 3 === 1) leave(company);
  for (const [turn, choose] of choices.entries()) {
    const step = choose(model);
    const decided = step === null ? null : decide(model, step);
    const isDone = step !== null && decided !== null && company.run(step).isDone;
    if (isDone && "after" in decided) model = decided.after;
    actBesides(company, turn);
    if (turn === 9 && choices.length % 2 === 0) attempted(company, () => splitInPieces(company));
    yield turn;
  }
}

test(`${COMPANIES} random companies: each of ${DAYS} past days is looked up as a replay says it`, async () => {
  const found = new Map<string, number>();
  let seed = firstSeed();
  const property = fc.asyncProperty(histories(STEPS), (choices) =>
    place.writer.submit((tx) => {
      const company = new Company(tx);
      for (const _turn of lives(company, choices));
      const rows = [...iterateEvery(tx, company.orgId, 0)];
      const facts = loadPastFacts(tx, company.orgId);
      const past = PastDays.of(rows, facts);
      if (past === null) throw new Error("so few entries are worked out");
      const days = daysOf(rows, seeded(seed++));
      const right = days.map((day) => replayed(company, day));
      for (const [at, day] of days.entries()) {
        expect({ day, told: lookedUp(company, past, day) }).toEqual({ day, told: right[at] ?? "" });
      }
      for (const [name, fault] of Object.entries(FAULTS)) {
        const changed = fault(rows);
        const isSame = () => {
          const wrong = PastDays.of(changed ?? [], facts);
          return days.every((day, at) => wrong !== null && lookedUp(company, wrong, day) === right[at]);
        };
        if (changed !== null && isFoundOut(isSame)) found.set(name, (found.get(name) ?? 0) + 1);
      }
    }),
  );
  await fc.assert(property, { numRuns: COMPANIES, seed: firstSeed() });
  expect([...found.keys()].sort()).toEqual(Object.keys(FAULTS).sort());
});

/** Whether a past differs; one that cannot be worked out does. */
function isFoundOut(isSame: () => boolean): boolean {
  try {
    return !isSame();
  } catch {
    return true;
  }
}

const LIVES = RELEASE ? 200 : 12;
const moment = (asOf: CalendarDate) => ({ asOf, knownAt: END_OF_TIME });

/** Some days of a company, and what a replay says of each. */
function someDays(company: Company, turn: number): ReadonlyMap<CalendarDate, string> {
  const rows = [...iterateEvery(company.tx, company.orgId, 0)];
  const days = rows.length === 0 ? [] : daysOf(rows, seeded(turn)).slice(0, 5);
  const of = (day: CalendarDate) => told(readView(company.tx, company.orgId, moment(day)));
  return new Map([TODAY, ...days].map((day) => [day, of(day)]));
}

test(`${LIVES} random companies: a past that goes on says after every write what a replay says`, async () => {
  let [goneOn, anew] = [0, 0];
  const property = fc.asyncProperty(histories(STEPS), (choices) =>
    place.writer.submit((tx) => {
      const company = new Company(tx);
      const { orgId } = company;
      let past: Past | null = null;
      for (const turn of lives(company, choices)) {
        if (past?.goOn(tx)) goneOn++;
        else {
          past = new Past(tx, orgId);
          anew++;
        }
        for (const [day, right] of someDays(company, turn)) {
          const shown = past.on(tx, day);
          expect({ turn, day, told: shown && told(shown) }).toEqual({ turn, day, told: right });
          const kept = shownAt(tx, orgId, moment(day), { today: TODAY, keptFrom: 0 });
          expect({ turn, day, told: told(kept) }).toEqual({ turn, day, told: right });
        }
      }
    }),
  );
  await fc.assert(property, { numRuns: LIVES, seed: firstSeed() });
  expect(goneOn).toBeGreaterThan(anew / 2);
});

/** A past that is not asked whether it still holds, and what becomes of it with new entries. */
const BLIND: Readonly<Record<string, (past: PastDays, company: Company, after: number) => void>> = {
  "one that stays as it was": () => undefined,
  "one that takes new entries and asks no log": (past, { tx, orgId }, after) => {
    past.goOn(pastSource(tx, orgId), after);
  },
};

for (const [name, goOn] of Object.entries(BLIND)) {
  test(`and ${name} would be found out`, async () => {
    let foundOut = 0;
    const property = fc.asyncProperty(histories(STEPS), (choices) =>
      place.writer.submit((tx) => {
        const company = new Company(tx);
        const { orgId } = company;
        const blind = readPastDays(tx, orgId);
        let after = 0;
        for (const turn of lives(company, choices)) {
          const isSame = () => {
            if (blind !== null) goOn(blind, company, after);
            const says = (day: CalendarDate) => blind !== null && told(pastTable(tx, orgId, blind, day));
            return [...someDays(company, turn)].every(([day, right]) => says(day) === right);
          };
          if (isFoundOut(isSame)) {
            foundOut++;
            return;
          }
          after = findHead(tx, orgId).sequence;
        }
      }),
    );
    await fc.assert(property, { numRuns: LIVES, seed: firstSeed() });
    expect(foundOut).toBeGreaterThan(0);
  });
}
