// Making an API key: what it is for, what it may, and until when; then the key, shown once.
import { useState } from "preact/hooks";
import { addYears } from "../../../kernel/date.ts";
import { write } from "../../api/client.ts";
import { ApiKeyCreate, SCOPES_OF_ROLE } from "../../api/values.ts";
import { useOrganization } from "../../frame/page-organization.ts";
import { Button } from "../../parts/button.tsx";
import { Copy } from "../../parts/copy.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { APART } from "../../parts/forms/body.ts";
import { ROLE_NAMES } from "../../text/common.ts";
import { KEYS } from "../../text/settings.ts";
import type { FieldSpec } from "../actions/spec.ts";
import { SpecForm } from "../records/spec-form.tsx";
import { roleNote } from "./role-fields.ts";

const ALLOWED: Readonly<Record<string, readonly (typeof ApiKeyCreate.scopes)[number][]>> = SCOPES_OF_ROLE;
const allowed = (role = "") => ALLOWED[role] ?? [];

const FIELDS = [
  { name: "name", kind: "text", maxLength: 100 },
  {
    name: "role",
    kind: "choice",
    choices: ApiKeyCreate.role,
    given: () => "VIEWER",
    brings: (role) => ({ scopes: allowed(role).join(APART) }),
    note: roleNote,
  },
  {
    name: "scopes",
    kind: "many",
    choices: ApiKeyCreate.scopes,
    offered: ({ role }) => allowed(role),
    given: () => allowed("VIEWER").join(APART),
    missing: KEYS.scopeNeeded,
  },
  {
    name: "expiresAt",
    kind: "day",
    given: (_, { today }) => addYears(today, 1),
    isShown: ({ isEndless }) => !isEndless,
    missing: KEYS.expiryNeeded,
  },
  { name: "isEndless", kind: "check" },
] as const satisfies readonly FieldSpec[];
const WORDS = {
  name: { label: KEYS.name, hint: KEYS.nameHint },
  role: { label: KEYS.role, choices: ROLE_NAMES },
  scopes: { label: KEYS.mayDo, choices: KEYS.scopeNames, hints: KEYS.scopeWords },
  expiresAt: { label: KEYS.expiry, hint: KEYS.expiryHint },
  isEndless: { label: KEYS.endless, hint: KEYS.endlessHint },
};

/** The dialog. A key ends in a year unless another day, or never, is chosen. */
export function NewKey({ onClose }: { readonly onClose: () => void }) {
  const { api } = useOrganization();
  const [made, setMade] = useState<string | null>(null);
  if (made !== null) return <ShownOnce apiKey={made} onClose={onClose} />;
  return (
    <Dialog title={KEYS.add} onClose={onClose}>
      <SpecForm
        fields={FIELDS}
        words={WORDS}
        submit={KEYS.create}
        label={KEYS.add}
        send={({ scopes, expiresAt, isEndless: _, ...body }) => {
          const until = expiresAt === undefined ? {} : { expiresAt: `${expiresAt}T00:00:00.000Z` };
          const chosen = allowed(body.role).filter((scope) => scopes.includes(scope));
          return write(api.POST("/api/v1/api-keys", { body: { ...body, scopes: chosen, ...until } }));
        }}
        done={({ key }) => setMade(key)}
      />
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
