// What components ask for: one answer for each key, shared, and read again as it gets old.
import { useEffect, useRef, useState } from "preact/hooks";
import { changed, type Entry, entryOf, leave, read, readWhereOld } from "./remembered.ts";

/** What a component knows of what it asked for. */
export interface Query<T> {
  /** What was read last, also while it is read anew; with `keep` also what was asked before. */
  readonly data: T | undefined;
  /** Why there is nothing, or nothing newer. */
  readonly error: unknown;
  readonly isLoading: boolean;
  /** Whether `data` answers what was asked before. */
  readonly isOld: boolean;
  /** Reads again; what is known when that has ended, however it has. */
  reload(): Promise<unknown>;
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
  const isRead = entry !== null && entry.running !== null && !entry.isQuiet;
  return {
    data: isOld ? last.current : own,
    error: entry?.error ?? null,
    isLoading: isRead || (entry !== null && own === undefined && entry.error === null),
    isOld,
    async reload() {
      if (entry) await read(entry);
      return entry?.data as T | undefined;
    },
  };
}
