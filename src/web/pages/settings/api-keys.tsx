// API keys: made, with the key shown once; revoked.
import { useState } from "preact/hooks";
import { answer, type Schemas, write } from "../../api/client.ts";
import { useWholeList } from "../../api/list-pages.ts";
import { nowMs } from "../../clock.ts";
import { useOrganization } from "../../frame/page-organization.ts";
import { Button } from "../../parts/button.tsx";
import { ConfirmButton } from "../../parts/confirm.tsx";
import { Instant, None } from "../../parts/figure.tsx";
import { Badge } from "../../parts/notice.tsx";
import { Card } from "../../parts/page-head.tsx";
import { Empty, Loaded } from "../../parts/states.tsx";
import { type Column, Table, useSorting } from "../../parts/tables/table.tsx";
import { toast } from "../../parts/toast.tsx";
import { ROLE_NAMES } from "../../text/common.ts";
import { KEYS } from "../../text/settings.ts";
import { NewKey } from "./new-key.tsx";

type ApiKey = Schemas["ApiKey"];

function stateOf({ revokedAt, expiresAt }: ApiKey): "WORKS" | "REVOKED" | "EXPIRED" {
  if (revokedAt !== null) return "REVOKED";
  return expiresAt !== null && Date.parse(expiresAt) <= nowMs() ? "EXPIRED" : "WORKS";
}

function State({ apiKey }: { readonly apiKey: ApiKey }) {
  const state = stateOf(apiKey);
  if (state === "WORKS") return <Badge tone="good">{KEYS.working}</Badge>;
  return <Badge tone="plain">{state === "REVOKED" ? KEYS.revokedState : KEYS.expired}</Badge>;
}

/** Who made a key, as it was called then; null where that was not kept. */
function makerName(madeBy: ApiKey["madeBy"]): string | null {
  if (madeBy === null) return null;
  return madeBy.actor === "cli" ? KEYS.commandLine : madeBy.name;
}

const COLUMNS: readonly Column<ApiKey>[] = [
  {
    id: "name",
    label: KEYS.name,
    sortBy: ({ name }) => name,
    cell: (row) => (
      <>
        {row.name}
        <div class="note small">
          <code>{`${row.prefix}…`}</code>
        </div>
        <span class="only-narrow">
          <State apiKey={row} />
        </span>
      </>
    ),
  },
  { id: "role", label: KEYS.role, sortBy: ({ role }) => role, cell: ({ role }) => ROLE_NAMES[role] },
  {
    id: "scopes",
    label: KEYS.scopes,
    isWide: true,
    cell: ({ scopes }) => scopes.map((scope) => KEYS.scopeNames[scope]).join(", ") || <None />,
  },
  { id: "state", label: KEYS.state, isWide: true, cell: (row) => <State apiKey={row} /> },
  {
    id: "made",
    label: KEYS.made,
    isWide: true,
    sortBy: ({ createdAt }) => createdAt,
    cell: ({ createdAt }) => <Instant value={createdAt} />,
  },
  {
    id: "maker",
    label: KEYS.maker,
    isWide: true,
    sortBy: ({ madeBy }) => makerName(madeBy),
    cell: ({ madeBy }) => makerName(madeBy) ?? <None />,
  },
  {
    id: "used",
    label: KEYS.lastUsed,
    isWide: true,
    sortBy: ({ lastUsedAt }) => lastUsedAt,
    cell: ({ lastUsedAt, lastUsedAddress }) =>
      lastUsedAt ? (
        <>
          <Instant value={lastUsedAt} />
          {lastUsedAddress && <div class="note small">{KEYS.from(lastUsedAddress)}</div>}
        </>
      ) : (
        KEYS.neverUsed
      ),
  },
  {
    id: "ends",
    label: KEYS.ends,
    isWide: true,
    cell: ({ expiresAt }) => (expiresAt ? <Instant value={expiresAt} /> : KEYS.never),
  },
  { id: "revoke", label: "", name: KEYS.revoke, isFigure: true, cell: (row) => <Revoke apiKey={row} /> },
];

function Revoke({ apiKey }: { readonly apiKey: ApiKey }) {
  const { api } = useOrganization();
  if (stateOf(apiKey) !== "WORKS") return null;
  const act = async () => {
    await write(api.DELETE("/api/v1/api-keys/{id}", { params: { path: { id: apiKey.id } } }));
    toast(KEYS.revoked(apiKey.name));
  };
  return <ConfirmButton kind="quiet" label={KEYS.revoke} words={KEYS.revokeWords(apiKey.name)} act={act} />;
}

/** The tab. */
export function Keys() {
  const { api, key } = useOrganization();
  const [isAdding, setAdding] = useState(false);
  const [showsOld, setShowsOld] = useState(false);
  const query = useWholeList(key("api-keys"), (page, signal) =>
    answer(api.GET("/api/v1/api-keys", { params: { query: page }, signal })),
  );
  const { sorting, toggle } = useSorting(COLUMNS);
  const add = (
    <Button kind="primary" onClick={() => setAdding(true)}>
      {KEYS.add}
    </Button>
  );
  return (
    <Card title={KEYS.keys} note={KEYS.keysWords} actions={add}>
      <Loaded query={query} what={KEYS.keys}>
        {({ items }) => {
          const rows = items.filter((row) => showsOld || stateOf(row) === "WORKS");
          const hasOld = items.some((row) => stateOf(row) !== "WORKS");
          const table = { label: KEYS.keys, columns: COLUMNS, rows, sorting, onSort: toggle };
          return (
            <>
              {rows.length === 0 ? <Empty words={KEYS.none} /> : <Table {...table} keyOf={({ id }) => id} />}
              {hasOld && (
                <label class="check spaced">
                  <input type="checkbox" checked={showsOld} onChange={() => setShowsOld(!showsOld)} /> {KEYS.showOld}
                </label>
              )}
            </>
          );
        }}
      </Loaded>
      {isAdding && <NewKey onClose={() => setAdding(false)} />}
    </Card>
  );
}
