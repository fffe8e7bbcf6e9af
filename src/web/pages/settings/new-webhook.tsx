// Making a webhook endpoint: where it is and which events it gets; then its secret, shown once.
import { useState } from "preact/hooks";
import { write } from "../../api/client.ts";
import { WebhookEndpointCreate } from "../../api/values.ts";
import { useOrganization } from "../../frame/page-organization.ts";
import { Button } from "../../parts/button.tsx";
import { Copy } from "../../parts/copy.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { WEBHOOKS } from "../../text/settings.ts";
import type { FieldSpec } from "../actions/spec.ts";
import { SpecForm } from "../records/spec-form.tsx";

const FIELDS = [
  { name: "url", kind: "text", maxLength: 2000 },
  { name: "description", kind: "text", maxLength: 200, isOptional: true },
  { name: "types", kind: "text", given: () => "*" },
  { name: "include", kind: "choice", choices: WebhookEndpointCreate.include, given: () => "ids" },
  { name: "checkpoints", kind: "check" },
] as const satisfies readonly FieldSpec[];
const WORDS = {
  url: { label: WEBHOOKS.url, hint: WEBHOOKS.urlHint },
  description: { label: WEBHOOKS.description, hint: WEBHOOKS.descriptionHint },
  types: { label: WEBHOOKS.types, hint: WEBHOOKS.typesHint },
  include: { label: WEBHOOKS.include, choices: WEBHOOKS.includes },
  checkpoints: { label: WEBHOOKS.checkpoints },
};

/** The types that a text names. */
function typesIn(text: string): string[] {
  return [...new Set(text.split(/[\s,]+/).filter((each) => each !== ""))];
}

/** The dialog. */
export function NewWebhook({ onClose }: { readonly onClose: () => void }) {
  const { api } = useOrganization();
  const [secret, setSecret] = useState<string | null>(null);
  if (secret !== null) return <SecretOnce secret={secret} onClose={onClose} />;
  return (
    <Dialog title={WEBHOOKS.add} onClose={onClose}>
      <SpecForm
        fields={FIELDS}
        words={WORDS}
        submit={WEBHOOKS.create}
        label={WEBHOOKS.add}
        send={({ types, ...body }) =>
          write(api.POST("/api/v1/webhook-endpoints", { body: { ...body, types: typesIn(types) } }))
        }
        done={(made) => setSecret(made.secret)}
      />
    </Dialog>
  );
}

/** A secret, shown once. */
export function SecretOnce({ secret, onClose }: { readonly secret: string; readonly onClose: () => void }) {
  return (
    <Dialog title={WEBHOOKS.shownTitle}>
      <p>{WEBHOOKS.shownWords}</p>
      <code class="secret breakable">{secret}</code>
      <div class="submit-bar">
        <Button kind="primary" onClick={onClose}>
          {WEBHOOKS.stored}
        </Button>
        <Copy text={secret} label={WEBHOOKS.copy} />
      </div>
    </Dialog>
  );
}
