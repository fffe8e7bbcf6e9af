// Query cache of the pages: one request per key, fresh for 30 seconds, read again when the window regains focus and after
// writes, and aborted when no component shows it.
import { useEffect, useRef, useState } from "preact/hooks";
import { nowMs } from "../clock.ts";
import { isAbort } from "./problem.ts";

const FRESH_MS = 30_000;
/** How long an answer is kept that no component shows. */
const KEPT_MS = 300_000;

/** What a component knows of what it asked for. */
export interface Query<T> {
  /** What was read last, also while it is read anew; with `keep` also what was asked before. */
  readonly data: T | undefined;
  /** Why there is nothing, or nothing newer. */
  readonly error: unknown;
  readonly isLoading: boolean;
  /** Whether `data` answers what was asked before. */
  readonly isOld: boolean;
  /** Reads again. */
  reload(): void;
}

interface Entry {
  data: unknown;
  error: unknown;
  readAtMs: number;
  /** When it was last asked for, or looked at. */
  usedAtMs: number;
  running: AbortController | null;
  load: (signal: AbortSignal, publish: (part: unknown) => void) => Promise<unknown>;
  readonly watchers: Set<() => void>;
}

const entries = new Map<string, Entry>();

function entryOf(key: string, load: Entry["load"]): Entry {
  const known = entries.get(key);
  if (known) return known;
  const watchers = new Set<() => void>();
  const entry = { data: undefined, error: null, readAtMs: 0, usedAtMs: nowMs(), running: null, load, watchers };
  entries.set(key, entry);
  return entry;
}

function tell(entry: Entry): void {
  for (const watcher of [...entry.watchers]) watcher();
}

async function read(entry: Entry): Promise<void> {
  entry.running?.abort();
  const running = new AbortController();
  entry.running = running;
  tell(entry);
  try {
    const publish = (part: unknown) => {
      if (entry.running !== running || entry.readAtMs > 0) return;
      entry.data = part;
      tell(entry);
    };
    const data = await entry.load(running.signal, publish);
    if (entry.running !== running) return;
    Object.assign(entry, { data, error: null, readAtMs: nowMs(), running: null });
  } catch (thrown) {
    if (entry.running !== running) return;
    Object.assign(entry, { error: isAbort(thrown) ? null : thrown, readAtMs: nowMs(), running: null });
  }
  tell(entry);
}

function readWhereOld(entry: Entry): void {
  if (entry.running === null && nowMs() - entry.readAtMs >= FRESH_MS) void read(entry);
}

function leave(key: string, entry: Entry): void {
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

/** Something was written: what is looked at is read again now, the rest when it is looked at. */
export function changed(): void {
  for (const entry of entries.values()) {
    entry.readAtMs = 0;
    if (entry.watchers.size > 0) void read(entry);
  }
}

/**
 * For a component that deletes the record which it shows: returns a function to call once the server has deleted it.
 * When the component is gone, however long its page or dialog takes to leave, what is still shown is read again. Read
 * sooner, the record itself would be a 404.
 */
export function useChangedOnceGone(): () => void {
  const isDeleted = useRef(false);
  useEffect(() => () => void (isDeleted.current && setTimeout(changed)), []);
  return () => {
    isDeleted.current = true;
  };
}

/** Clears the cache, when the user signs out. */
export function forgetQueries(): void {
  for (const entry of entries.values()) entry.running?.abort();
  entries.clear();
}

addEventListener("focus", () => {
  for (const entry of entries.values()) if (entry.watchers.size > 0) readWhereOld(entry);
});

/**
 * Reads an answer by its key, which names the organization, the kind of answer and all that it depends on: components
 * with the same key share one answer. A null key asks nothing.
 * `keep` shows the last answer while another key is read; `publish` shows what of a long answer is there so far.
 */
export function useQuery<T>(
  key: string | null,
  load: (signal: AbortSignal, publish: (part: T) => void) => Promise<T>,
  { keep = false }: { readonly keep?: boolean } = {},
): Query<T> {
  const [, again] = useState({});
  const last = useRef<T | undefined>(undefined);
  const entry = key === null ? null : entryOf(key, load as Entry["load"]);
  if (entry) entry.load = load as Entry["load"];
  useEffect(() => {
    if (key === null || entry === null) return;
    const watcher = () => again({});
    entry.watchers.add(watcher);
    readWhereOld(entry);
    return () => {
      entry.watchers.delete(watcher);
      leave(key, entry);
    };
  }, [key, entry]);
  const own = entry?.data as T | undefined;
  if (own !== undefined) last.current = own;
  const isOld = own === undefined && keep && last.current !== undefined;
  return {
    data: isOld ? last.current : own,
    error: entry?.error ?? null,
    isLoading: entry !== null && (entry.running !== null || (own === undefined && entry.error === null)),
    isOld,
    reload: () => void (entry && read(entry)),
  };
}
