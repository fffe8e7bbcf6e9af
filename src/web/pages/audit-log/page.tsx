// `/o/{org}/audit-log`: who did what, with before and after, for administrators. Read in pages: it is long.
import { useState } from "preact/hooks";
import { answer } from "../../api/client.ts";
import { type ListPage, PAGE_SIZE, useWholeList } from "../../api/list-pages.ts";
import { useQuery } from "../../api/query.ts";
import { useFilters } from "../../frame/lists/filters.ts";
import { PrintHead } from "../../frame/lists/register-list.tsx";
import { useObjectOptions } from "../../frame/objects.ts";
import { useOrganization } from "../../frame/page-organization.ts";
import { countText } from "../../locale.ts";
import { Button } from "../../parts/button.tsx";
import { Count, Hash, Instant } from "../../parts/figure.tsx";
import { Notice } from "../../parts/notice.tsx";
import { Card, PageHead } from "../../parts/page-head.tsx";
import { Empty, Loaded, NothingMatches } from "../../parts/states.tsx";
import { FilterChoice, FilterText } from "../../parts/tables/filter-bar.tsx";
import { type Column, Table } from "../../parts/tables/table.tsx";
import { useAction } from "../../parts/use-action.tsx";
import { AUDIT, OBJECT_KINDS } from "../../text/audit.ts";
import { choicesOf, REGISTER } from "../../text/register-words.ts";
import { type AuditEntry, nameIn, whatWords } from "./log-entries.ts";
import { OneEntry } from "./log-entry.tsx";

/** The page. */
export function Page() {
  const { name, may } = useOrganization();
  return (
    <>
      <PageHead title={AUDIT.title} of={name} />
      {may("ADMIN") ? <Log /> : <Notice tone="warn">{AUDIT.onlyAdmins}</Notice>}
    </>
  );
}

/** Who may have written: members, keys, the command line, jobs; a value is a parameter and what it is. */
function useActors() {
  const { api, key } = useOrganization();
  const members = useWholeList(key("members"), (page, signal) =>
    answer(api.GET("/api/v1/members", { params: { query: page }, signal })),
  );
  const keys = useWholeList(key("api-keys"), (page, signal) =>
    answer(api.GET("/api/v1/api-keys", { params: { query: page }, signal })),
  );
  const keyNames = new Map((keys.data?.items ?? []).map(({ id, name }) => [id, name]));
  const choices = [
    ...(members.data?.items ?? []).map(({ accountId, name }) => ({ value: `accountId ${accountId}`, label: name })),
    ...[...keyNames].map(([id, name]) => ({ value: `apiKeyId ${id}`, label: `${AUDIT.actors["api-key"]} ${name}` })),
    { value: "actor cli", label: AUDIT.actors.cli },
    { value: "actor job", label: AUDIT.actors.job },
  ];
  const wordsOf = ({ actor, actorName, apiKeyId }: AuditEntry) => {
    if (actor === "person") return actorName ?? AUDIT.actors.person;
    if (actor !== "api-key") return AUDIT.actors[actor];
    return `${AUDIT.actors["api-key"]} ${keyNames.get(apiKeyId ?? "") ?? ""}`.trim();
  };
  return { choices, wordsOf };
}

/** The pages of the log that were asked for so far, under these filters. */
function useLog(asked: Readonly<Record<string, string>>) {
  const { api, key } = useOrganization();
  const filter = JSON.stringify(asked);
  const read = (cursor: string | undefined, signal?: AbortSignal): Promise<ListPage<AuditEntry>> => {
    const query = { ...asked, limit: PAGE_SIZE, ...(cursor === undefined ? {} : { cursor }) };
    return answer(api.GET("/api/v1/audit-log", { params: { query }, ...(signal ? { signal } : {}) }));
  };
  const query = useQuery(key("audit-log", filter), (signal) => read(undefined, signal), { keep: true });
  const [more, setMore] = useState<{ readonly of: string; readonly page: ListPage<AuditEntry> } | null>(null);
  // Read again, the first page is the same as long as nothing was written.
  const first = `${filter} ${query.data?.items.at(-1)?.id ?? ""}`;
  const later = more?.of === first ? more.page : undefined;
  const items = [...(query.data?.items ?? []), ...(later?.items ?? [])];
  const nextCursor = later ? later.nextCursor : query.data?.nextCursor;
  const next = useAction(async () => {
    const page = await read(nextCursor ?? undefined);
    setMore({ of: first, page: { ...page, items: [...(later?.items ?? []), ...page.items] } });
  });
  return { query, items, hasMore: Boolean(nextCursor), next };
}

function columnsOf(
  whoOf: (entry: AuditEntry) => string,
  names: ReadonlyMap<string | undefined, string>,
  open: (entry: AuditEntry) => void,
): readonly Column<AuditEntry>[] {
  return [
    {
      id: "what",
      label: AUDIT.what,
      cell: (entry) => (
        <button type="button" class="as-link start" onClick={() => open(entry)}>
          {whatWords(entry)}
        </button>
      ),
    },
    {
      id: "object",
      label: AUDIT.object,
      isWide: true,
      cell: (entry) => nameIn(entry) ?? names.get(entry.resourceId ?? "") ?? <Hash value={entry.resourceId} />,
    },
    { id: "who", label: AUDIT.who, cell: whoOf },
    { id: "when", label: AUDIT.when, cell: ({ at }) => <Instant value={at} /> },
    {
      id: "number",
      label: AUDIT.number,
      isFigure: true,
      isWide: true,
      cell: ({ sequence }) => <Count value={sequence} />,
    },
  ];
}

function Log() {
  const [opened, setOpened] = useState<AuditEntry | null>(null);
  const { choices, wordsOf } = useActors();
  const objects = useObjectOptions({ withSecurities: false });
  const names = new Map<string | undefined, string>(
    objects.map(({ value: named, label }) => [named.split(" ")[1], label]),
  );
  const filters = useFilters(["who", "kind", "from", "to", "resourceId"]);
  const { who, kind, from, to, resourceId } = filters.values;
  const [parameter = "", value = ""] = who.split(" ");
  const given = { [parameter]: value, resourceType: kind, from, to, resourceId };
  const asked = Object.fromEntries(Object.entries(given).filter(([name, each]) => name !== "" && each !== ""));
  const { query, items, hasMore, next } = useLog(asked);
  // What an entry does not name another one of the same record does.
  for (const entry of items) {
    const name = nameIn(entry);
    if (entry.resourceId && name !== null && !names.has(entry.resourceId)) names.set(entry.resourceId, name);
  }
  return (
    <Card>
      <PrintHead what={AUDIT.title} />
      <search class="filters no-print" aria-label={REGISTER.filters}>
        <FilterChoice label={AUDIT.filterWho} {...filters.field("who")} choices={choices} />
        <FilterChoice label={AUDIT.kind} {...filters.field("kind")} choices={choicesOf(OBJECT_KINDS)} />
        <FilterText label={AUDIT.from} type="date" {...filters.field("from")} />
        <FilterText label={AUDIT.to} type="date" {...filters.field("to")} />
        <FilterText label={AUDIT.record} {...filters.field("resourceId")} />
      </search>
      <Loaded query={query} what={AUDIT.loading} lines={12}>
        {() =>
          items.length === 0 ? (
            <Nothing isFiltered={filters.isAny} onClear={filters.clear} />
          ) : (
            <>
              <Table
                label={AUDIT.title}
                columns={columnsOf(wordsOf, names, setOpened)}
                rows={items}
                keyOf={({ id }) => id}
              />
              <div class="row spaced">
                {hasMore && <Button {...next.button}>{AUDIT.more}</Button>}
                <span class="note" role="status">
                  {AUDIT.shown(countText(items.length))}
                </span>
              </div>
              {next.trouble}
            </>
          )
        }
      </Loaded>
      {opened && <OneEntry entry={opened} who={wordsOf(opened)} onClose={() => setOpened(null)} />}
    </Card>
  );
}

function Nothing({ isFiltered, onClear }: { readonly isFiltered: boolean; readonly onClear: () => void }) {
  return isFiltered ? <NothingMatches onClear={onClear} /> : <Empty words={AUDIT.none} />;
}
