// API keys: made, with the key shown once; revoked.
import { useState } from "preact/hooks";
import { answer, type Schemas, write } from "../../api/client.ts";
import { useWholeList } from "../../api/pages.ts";
import { nowMs } from "../../clock.ts";
import { useOrganization } from "../../frame/organization.ts";
import { Button } from "../../parts/button.tsx";
import { ConfirmButton } from "../../parts/confirm.tsx";
import { Copy } from "../../parts/copy.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { Instant, None } from "../../parts/figures.tsx";
import { DateField, SelectField, TextField } from "../../parts/forms/field.tsx";
import { Form } from "../../parts/forms/form.tsx";
import { useForm } from "../../parts/forms/use-form.ts";
import { Badge } from "../../parts/notice.tsx";
import { Card } from "../../parts/page.tsx";
import { Empty, Loaded } from "../../parts/states.tsx";
import { type Column, Table, useSorting } from "../../parts/table.tsx";
import { toast } from "../../parts/toast.tsx";
import { COMMON, ROLE_NAMES } from "../../text/common.ts";
import { KEYS, MEMBERS } from "../../text/settings.ts";

type ApiKey = Schemas["ApiKey"];
const ROLES = ["VIEWER", "EDITOR", "ADMIN"] as const;

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
    cell: ({ lastUsedAt }) => (lastUsedAt ? <Instant value={lastUsedAt} /> : KEYS.neverUsed),
  },
  {
    id: "ends",
    label: KEYS.ends,
    isWide: true,
    cell: ({ expiresAt }) => (expiresAt ? <Instant value={expiresAt} /> : <None />),
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

function NewKey({ onClose }: { readonly onClose: () => void }) {
  const { api } = useOrganization();
  const [made, setMade] = useState<string | null>(null);
  const form = useForm({
    initial: { name: "", role: "VIEWER" as ApiKey["role"], expiresAt: "" },
    check: ({ name }) => ({ name: name.trim() ? undefined : COMMON.required }),
    send: ({ name, role, expiresAt }) =>
      write(
        api.POST("/api/v1/api-keys", {
          body: { name: name.trim(), role, ...(expiresAt ? { expiresAt: `${expiresAt}T00:00:00.000Z` } : {}) },
        }),
      ),
    done: ({ key }) => setMade(key),
  });
  if (made !== null) return <ShownOnce apiKey={made} onClose={onClose} />;
  return (
    <Dialog title={KEYS.add} onClose={onClose}>
      <Form form={form} submit={KEYS.create} label={KEYS.add}>
        <TextField label={KEYS.name} {...form.field("name")} autoComplete="off" maxLength={100} hint={KEYS.nameHint} />
        <SelectField
          label={KEYS.role}
          {...form.field("role")}
          choices={ROLES.map((value) => ({ value, label: ROLE_NAMES[value] }))}
          hint={MEMBERS.roleWords[form.values.role]}
        />
        <DateField label={KEYS.expiry} {...form.field("expiresAt")} isOptional hint={KEYS.expiryHint} />
      </Form>
    </Dialog>
  );
}

function ShownOnce({ apiKey, onClose }: { readonly apiKey: string; readonly onClose: () => void }) {
  return (
    <Dialog title={KEYS.shownTitle}>
      <p>{KEYS.shownWords}</p>
      <code class="secret breakable">{apiKey}</code>
      <div class="submit-bar">
        <Button kind="primary" onClick={onClose}>
          {KEYS.stored}
        </Button>
        <Copy text={apiKey} label={KEYS.copy} />
      </div>
    </Dialog>
  );
}
