// What pages have read, by keys: fresh for 30 seconds, read again when the window regains focus, after writes and as
// things happen, aborted and at last forgotten when no component shows it.
import { nowMs } from "../clock.ts";
import { gone, isAbort, isGone } from "./problem.ts";
import { Reading } from "./reading.ts";

const FRESH_MS = 30_000;
/** How long an answer is kept that no component shows. */
const KEPT_MS = 300_000;

/** Reads what a key stands for; `publish` shows what of a long answer is there so far. */
type Load = (signal: AbortSignal, publish: (part: unknown) => void) => Promise<unknown>;

/** What is remembered under a key. */
export interface Entry {
  data: unknown;
  error: unknown;
  readAtMs: number;
  /** When it was last asked for, or looked at. */
  usedAtMs: number;
  running: AbortController | null;
  /** Settles when what runs has ended. */
  ended: Promise<void>;
  /** Whether what runs was asked for by no user: nothing is drawn until it has news. */
  isQuiet: boolean;
  /** How often it was made old: what was being read then may be old as well. */
  turns: number;
  reading: Reading | null;
  load: Load;
  readonly watchers: Set<() => void>;
}

const entries = new Map<string, Entry>();

/** What is remembered under a key, which names its organization first; nothing yet where it is new. */
export function entryOf(key: string, load: Load): Entry {
  const known = entries.get(key);
  if (known) return known;
  const nothing = { data: undefined, error: null, running: null, ended: Promise.resolve(), reading: null };
  const times = { readAtMs: 0, usedAtMs: nowMs(), isQuiet: false, turns: 0 };
  const entry: Entry = { ...nothing, ...times, load, watchers: new Set() };
  entries.set(key, entry);
  return entry;
}

function tell(entry: Entry): void {
  for (const watcher of [...entry.watchers]) watcher();
}

/** Reads; what runs already is given up. Settles when it has ended, however it does. */
export function read(entry: Entry, isQuiet = false): Promise<void> {
  entry.running?.abort();
  const running = new AbortController();
  Object.assign(entry, { running, isQuiet });
  entry.ended = run(entry, running);
  if (!isQuiet) tell(entry);
  return entry.ended;
}

async function run(entry: Entry, running: AbortController): Promise<void> {
  const { turns, isQuiet, data: before, error: troubleBefore } = entry;
  const reading = new Reading(running.signal, entry.reading, isQuiet);
  const end = (told: Partial<Entry>): void => {
    const readAtMs = entry.turns === turns ? nowMs() : 0;
    Object.assign(entry, { running: null, isQuiet: false, readAtMs, ...told });
  };
  try {
    const data = await entry.load(running.signal, (part) => {
      // What is shown whole is not replaced by a part of it.
      if (entry.running !== running || before !== undefined) return;
      entry.data = part;
      tell(entry);
    });
    if (entry.running !== running) return;
    const isSame = before !== undefined && !reading.hasNews;
    end({ data: isSame ? before : data, error: null, reading });
    if (isSame && isQuiet && troubleBefore === null) return;
  } catch (thrown) {
    if (entry.running !== running) return;
    // What is shown stays, unless the record is known to be gone.
    if (isQuiet && !isGone(thrown)) return end({ error: troubleBefore, readAtMs: 0 });
    end({ error: isAbort(thrown) ? null : thrown });
  }
  tell(entry);
}

/** Reads where what is remembered is not fresh. */
export function readWhereOld(entry: Entry): void {
  if (entry.running === null && nowMs() - entry.readAtMs >= FRESH_MS) void read(entry);
}

/** No component shows it any more, or one fewer. */
export function leave(key: string, entry: Entry): void {
  if (entry.watchers.size > 0) return;
  entry.usedAtMs = nowMs();
  entry.running?.abort();
  entry.running = null;
  // Of what was not finished nothing is known.
  if (entry.data === undefined) entries.delete(key);
  for (const [other, { watchers, usedAtMs }] of entries) {
    if (watchers.size === 0 && nowMs() - usedAtMs > KEPT_MS) entries.delete(other);
  }
}

function makeOld(entry: Entry): void {
  entry.readAtMs = 0;
  entry.turns += 1;
}

/** Something was written: what is looked at is read again now, the rest when it is looked at. */
export function changed(): void {
  for (const entry of entries.values()) {
    makeOld(entry);
    if (entry.watchers.size > 0) void read(entry);
  }
}

/** Something happened in an organization, and these records were deleted: they are asked for no more, and shown as gone. */
export function changedElsewhere(orgId: string, deleted: readonly string[]): void {
  for (const [key, entry] of entries) {
    if (!key.startsWith(`["${orgId}"`)) continue;
    makeOld(entry);
    if (!deleted.some((id) => entry.reading?.isAbout(id))) continue;
    entry.error = gone();
    tell(entry);
  }
}

/** Reads again, unasked, what is looked at and old; settles when all of it is read. */
export async function readAgain(): Promise<void> {
  const isLookedAt = ({ watchers, readAtMs, error }: Entry) => watchers.size > 0 && readAtMs === 0 && !isGone(error);
  const again = async (entry: Entry): Promise<void> => {
    while (entry.running !== null) await entry.ended;
    if (isLookedAt(entry)) await read(entry, true);
  };
  await Promise.all([...entries.values()].map(again));
}

/** Clears the cache, when the user signs out. */
export function forgetQueries(): void {
  for (const entry of entries.values()) entry.running?.abort();
  entries.clear();
}

/** The portal has no stream of events. */
const PORTAL = /^\["[^"]+","portal"/;

addEventListener("focus", () => {
  for (const [key, entry] of entries) {
    if (entry.watchers.size === 0) continue;
    if (PORTAL.test(key) && entry.running === null) void read(entry, true);
    else readWhereOld(entry);
  }
});
