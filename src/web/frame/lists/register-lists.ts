// Lists of a register: read whole and filtered where they are shown; where one is longer than is shown, the server filters.
import { useEffect, useMemo, useState } from "preact/hooks";
import { answer } from "../../api/client.ts";
import { type ListPage, useWholeList, type WholeList } from "../../api/list-pages.ts";
import { type Query, useQuery } from "../../api/query.ts";
import { useOrganization } from "../page-organization.ts";

const SETTLED_MS = 250;

/** A value once it has stayed the same for a moment. */
function useSettled(value: string): string {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), SETTLED_MS);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
}

/** What of the filters the API is asked for, without those that are empty. */
export type Asked = Readonly<Record<string, string>>;

/** A list as far as it goes, and what of it matches. */
export interface Register<T> {
  readonly query: Query<WholeList<T>>;
  readonly rows: readonly T[];
}

/** Reads a list and keeps what matches. `asked` is what the API can filter by; `memo` all that `matches` depends on. */
export function useRegister<T>({
  name,
  asked,
  read,
  matches,
  memo,
}: {
  readonly name: string;
  readonly asked: Asked;
  readonly read: (asked: Asked, page: { cursor?: string; limit: number }, signal: AbortSignal) => Promise<ListPage<T>>;
  readonly matches: (row: T) => boolean;
  readonly memo: readonly unknown[];
}): Register<T> {
  const { key } = useOrganization();
  const settled = useSettled(JSON.stringify(Object.entries(asked).filter(([, value]) => value !== "")));
  const whole = useWholeList<T>(key(name, "all"), (page, signal) => read({}, page, signal));
  const isPart = whole.data?.isCut === true && settled !== "[]";
  const part = useWholeList<T>(isPart ? key(name, settled) : null, (page, signal) =>
    read(Object.fromEntries(JSON.parse(settled)), page, signal),
  );
  const query = isPart ? part : whole;
  const items = query.data?.items;
  const rows = useMemo(() => (items ?? []).filter(matches), [items, ...memo]);
  return { query, rows };
}

/** The cap table of today, which says the names and shares of all who hold something, in one answer. */
export function useCapTable() {
  const { api, key } = useOrganization();
  return useQuery(
    key("cap-table", null),
    async (signal) => (await answer(api.GET("/api/v1/cap-table", { params: { query: {} }, signal }))).data,
  );
}

/** Share classes, from senior to junior. */
export function useClasses() {
  const { api, key } = useOrganization();
  return useWholeList(key("share-classes", "all"), (query, signal) =>
    answer(api.GET("/api/v1/share-classes", { params: { query }, signal })),
  );
}

/** Equity plans. */
export function usePlans() {
  const { api, key } = useOrganization();
  return useWholeList(key("equity-plans", "all"), (query, signal) =>
    answer(api.GET("/api/v1/equity-plans", { params: { query }, signal })),
  );
}
