// Making an API key: what it is for, what it may, and until when; then the key, shown once.
import { useState } from "preact/hooks";
import { addYears } from "../../../kernel/date.ts";
import { type Schemas, write } from "../../api/client.ts";
import { ApiKeyCreate, SCOPES_OF_ROLE } from "../../api/values.ts";
import { today } from "../../clock.ts";
import { useOrganization } from "../../frame/page-organization.ts";
import { Button } from "../../parts/button.tsx";
import { Copy } from "../../parts/copy.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { CheckField, DateField, SelectField, TextField } from "../../parts/forms/field.tsx";
import { Form } from "../../parts/forms/form.tsx";
import { useForm } from "../../parts/forms/use-form.ts";
import { COMMON, ROLE_NAMES } from "../../text/common.ts";
import { KEYS, MEMBERS } from "../../text/settings.ts";

type ApiKey = Schemas["ApiKey"];
type Scope = (typeof ApiKeyCreate.scopes)[number];
const ROLES = ApiKeyCreate.role;
const ALLOWED: Readonly<Record<(typeof ROLES)[number], readonly Scope[]>> = SCOPES_OF_ROLE;

/** The dialog. A key ends in a year unless another day, or never, is chosen. */
export function NewKey({ onClose }: { readonly onClose: () => void }) {
  const { api } = useOrganization();
  const [made, setMade] = useState<string | null>(null);
  const form = useForm({
    initial: {
      name: "",
      role: "VIEWER" as ApiKey["role"],
      scopes: ALLOWED.VIEWER,
      expiresAt: addYears(today(), 1),
      isEndless: false,
    },
    check: ({ name, scopes, expiresAt, isEndless }) => ({
      name: name.trim() ? undefined : COMMON.required,
      scopes: scopes.length > 0 ? undefined : KEYS.scopeNeeded,
      expiresAt: isEndless || expiresAt ? undefined : KEYS.expiryNeeded,
    }),
    send: ({ name, role, scopes, expiresAt, isEndless }) =>
      write(
        api.POST("/api/v1/api-keys", {
          body: {
            ...{ name: name.trim(), role, scopes: [...scopes] },
            ...(isEndless ? {} : { expiresAt: `${expiresAt}T00:00:00.000Z` }),
          },
        }),
      ),
    done: ({ key }) => setMade(key),
  });
  const { role, scopes, isEndless } = form.values;
  if (made !== null) return <ShownOnce apiKey={made} onClose={onClose} />;
  const tick = (scope: Scope) => ALLOWED[role].filter((each) => (each === scope) !== scopes.includes(each));
  const chooseRole = (value: string) => {
    const chosen = ROLES.find((each) => each === value) ?? "VIEWER";
    form.set({ role: chosen, scopes: ALLOWED[chosen] });
  };
  return (
    <Dialog title={KEYS.add} onClose={onClose}>
      <Form form={form} submit={KEYS.create} label={KEYS.add}>
        <TextField label={KEYS.name} {...form.field("name")} autoComplete="off" maxLength={100} hint={KEYS.nameHint} />
        <SelectField
          label={KEYS.role}
          {...form.field("role")}
          onInput={chooseRole}
          choices={ROLES.map((value) => ({ value, label: ROLE_NAMES[value] }))}
          hint={MEMBERS.roleWords[role]}
        />
        <fieldset class="plain-set">
          <legend>{KEYS.mayDo}</legend>
          {ALLOWED[role].map((scope) => (
            <CheckField
              key={scope}
              label={KEYS.scopeNames[scope]}
              name={scope}
              isChecked={scopes.includes(scope)}
              onChange={() => form.set({ scopes: tick(scope) })}
              hint={KEYS.scopeWords[scope]}
            />
          ))}
          {form.faults.scopes && (
            <p class="fault" role="alert">
              {form.faults.scopes}
            </p>
          )}
        </fieldset>
        {!isEndless && <DateField label={KEYS.expiry} {...form.field("expiresAt")} hint={KEYS.expiryHint} />}
        <CheckField
          label={KEYS.endless}
          name="isEndless"
          isChecked={isEndless}
          onChange={(isChosen) => form.set({ isEndless: isChosen })}
          hint={KEYS.endlessHint}
        />
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
