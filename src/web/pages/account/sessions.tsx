// Where a person is signed in, and what happened to the account.
import { answer, personApi, write } from "../../api/client.ts";
import { useQuery } from "../../api/query.ts";
import type { paths } from "../../api/types.ts";
import { Button } from "../../parts/button.tsx";
import { Instant, None } from "../../parts/figure.tsx";
import { Badge } from "../../parts/notice.tsx";
import { Card } from "../../parts/page-head.tsx";
import { Empty, Loaded } from "../../parts/states.tsx";
import { type Column, Table } from "../../parts/tables/table.tsx";
import { toast } from "../../parts/toast.tsx";
import { useAction } from "../../parts/use-action.tsx";
import { ACCOUNT, EVENT_WORDS } from "../../text/account.ts";

type Listed<P extends "/api/v1/auth/sessions" | "/api/v1/auth/activity"> =
  paths[P]["get"]["responses"][200]["content"]["application/json"]["items"][number];
type OwnSession = Listed<"/api/v1/auth/sessions">;
type Event = Listed<"/api/v1/auth/activity">;

const ACTIVITY_SHOWN = 30;

/** The name of browser and system in a `User-Agent` header, short enough to recognize. */
export function browserName(userAgent: string | null): string | null {
  if (userAgent === null) return null;
  const system = /Windows|Android|iPhone|iPad|Mac OS|Linux/.exec(userAgent)?.[0];
  const program = /Edg|Firefox|OPR|Chrome|Safari/.exec(userAgent)?.[0];
  const name = program === "Edg" ? "Edge" : program === "OPR" ? "Opera" : program;
  return [name, system?.replace("Mac OS", "macOS")].filter(Boolean).join(", ") || userAgent;
}

const SESSION_COLUMNS: readonly Column<OwnSession>[] = [
  {
    id: "browser",
    label: ACCOUNT.browser,
    cell: ({ userAgent, isThis }) => (
      <>
        <span title={userAgent ?? ""}>{browserName(userAgent) ?? <None />}</span>{" "}
        {isThis && <Badge tone="good">{ACCOUNT.thisSession}</Badge>}
      </>
    ),
  },
  { id: "how", label: ACCOUNT.how, isWide: true, cell: ({ method }) => ACCOUNT.methods[method] },
  { id: "from", label: ACCOUNT.from, isWide: true, cell: ({ address }) => address ?? <None /> },
  { id: "began", label: ACCOUNT.began, isWide: true, cell: ({ createdAt }) => <Instant value={createdAt} /> },
  { id: "seen", label: ACCOUNT.lastSeen, cell: ({ lastSeenAt }) => <Instant value={lastSeenAt} /> },
  {
    id: "end",
    label: <span class="visually-hidden">{ACCOUNT.end}</span>,
    isFigure: true,
    cell: (row) => !row.isThis && <EndButton id={row.id} />,
  },
];

function EndButton({ id }: { readonly id: string }) {
  const end = useAction(async () => {
    await write(personApi.DELETE("/api/v1/auth/sessions/{id}", { params: { path: { id } } }));
    toast(ACCOUNT.ended);
  });
  return (
    <>
      <Button kind="quiet" {...end.button}>
        {ACCOUNT.end}
      </Button>
      {end.trouble}
    </>
  );
}

/** The sessions that live. */
export function Sessions() {
  const query = useQuery("own sessions", (signal) => answer(personApi.GET("/api/v1/auth/sessions", { signal })));
  const others = useAction(async () => {
    await write(personApi.DELETE("/api/v1/auth/sessions"));
    toast(ACCOUNT.othersEnded);
  });
  const hasOthers = (query.data?.items.length ?? 0) > 1;
  return (
    <Card
      title={ACCOUNT.sessions}
      note={ACCOUNT.sessionsWords}
      actions={hasOthers && <Button {...others.button}>{ACCOUNT.endOthers}</Button>}
    >
      {others.trouble}
      <Loaded query={query} what={ACCOUNT.sessions}>
        {({ items }) => (
          <Table label={ACCOUNT.sessions} columns={SESSION_COLUMNS} rows={items} keyOf={({ id }) => id} />
        )}
      </Loaded>
    </Card>
  );
}

const EVENT_COLUMNS: readonly Column<Event>[] = [
  { id: "what", label: ACCOUNT.what, cell: ({ event }) => eventWords(event) },
  { id: "when", label: ACCOUNT.when, cell: ({ at }) => <Instant value={at} /> },
  { id: "from", label: ACCOUNT.from, isWide: true, cell: ({ address }) => address ?? <None /> },
  {
    id: "browser",
    label: ACCOUNT.browser,
    isWide: true,
    cell: ({ userAgent }) => browserName(userAgent) ?? <None />,
  },
];

/** An event's code in words. */
export function eventWords(event: string): string {
  const words = event.replaceAll("-", " ");
  return EVENT_WORDS[event] ?? words.charAt(0).toUpperCase() + words.slice(1);
}

/** What happened to the account. */
export function Activity() {
  const query = useQuery("own activity", (signal) =>
    answer(personApi.GET("/api/v1/auth/activity", { params: { query: { limit: ACTIVITY_SHOWN } }, signal })),
  );
  return (
    <Card title={ACCOUNT.activity} note={ACCOUNT.activityWords}>
      <Loaded query={query} what={ACCOUNT.activity}>
        {({ items }) =>
          items.length === 0 ? (
            <Empty words={ACCOUNT.noActivity} />
          ) : (
            <Table label={ACCOUNT.activity} columns={EVENT_COLUMNS} rows={items} keyOf={({ id }) => id} />
          )
        }
      </Loaded>
    </Card>
  );
}
