// What holders see under My holdings, with a picture of it; and whether members need a second factor.
import { write } from "../../api/client.ts";
import { readSession, session } from "../../api/session.ts";
import { useOrganization } from "../../frame/page-organization.ts";
import { CheckField, TextField } from "../../parts/forms/field.tsx";
import { Form } from "../../parts/forms/form.tsx";
import { useForm } from "../../parts/forms/use-form.ts";
import { Notice } from "../../parts/notice.tsx";
import { Card } from "../../parts/page-head.tsx";
import { toast } from "../../parts/toast.tsx";
import { SETTINGS } from "../../text/settings.ts";
import type { Organization } from "./company.ts";

interface Shown {
  readonly portalShowsOwnership: boolean;
  readonly portalShowsValue: boolean;
  readonly portalContact: string;
}

/** The switches of the portal. */
export function Portal({ organization }: { readonly organization: Organization }) {
  const { api } = useOrganization();
  const { portalShowsOwnership, portalShowsValue, portalContact } = organization;
  const form = useForm({
    initial: { portalShowsOwnership, portalShowsValue, portalContact: portalContact ?? "" },
    send: (values) =>
      write(
        api.PATCH("/api/v1/organization", {
          body: { ...values, portalContact: values.portalContact.trim() || null },
        }),
      ),
    done: () => toast(SETTINGS.portalSaved),
  });
  return (
    <Card title={SETTINGS.portal}>
      <p class="note">{SETTINGS.portalWords}</p>
      <Form form={form} submit={SETTINGS.savePortal} kind="plain" label={SETTINGS.portal}>
        <CheckField
          label={SETTINGS.showsOwnership}
          name="portalShowsOwnership"
          isChecked={form.values.portalShowsOwnership}
          onChange={(isShown) => form.set({ portalShowsOwnership: isShown })}
          hint={SETTINGS.showsOwnershipHint}
        />
        <CheckField
          label={SETTINGS.showsValue}
          name="portalShowsValue"
          isChecked={form.values.portalShowsValue}
          onChange={(isShown) => form.set({ portalShowsValue: isShown })}
          hint={SETTINGS.showsValueHint}
        />
        <TextField
          label={SETTINGS.contact}
          {...form.field("portalContact")}
          isOptional
          maxLength={200}
          hint={SETTINGS.contactHint}
        />
        <Preview shown={form.values} />
      </Form>
    </Card>
  );
}

function Preview({ shown }: { readonly shown: Shown }) {
  const lines = [
    [SETTINGS.previewVested, SETTINGS.previewVestedFigure],
    ...(shown.portalShowsOwnership ? [[SETTINGS.previewShare, SETTINGS.previewShareFigure]] : []),
    ...(shown.portalShowsValue ? [[SETTINGS.previewWorth, SETTINGS.previewWorthFigure]] : []),
  ];
  return (
    <figure class="portal-preview">
      <figcaption>
        <span class="label">{SETTINGS.preview}</span> <span class="note">{SETTINGS.previewNumbers}</span>
      </figcaption>
      <div class="portal-sample">
        <p class="label">{SETTINGS.previewGrant}</p>
        <dl class="facts">
          {lines.map(([name, figure]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd class="figure">{figure}</dd>
            </div>
          ))}
        </dl>
        {shown.portalContact.trim() && (
          <p class="note">
            {SETTINGS.questions} {shown.portalContact.trim()}
          </p>
        )}
      </div>
    </figure>
  );
}

/** The switch of the second factor. */
export function SigningIn({ organization }: { readonly organization: Organization }) {
  const { api } = useOrganization();
  const account = session.value?.account;
  const hasOwn = account?.hasTotp === true || account?.hasPasskey === true;
  const form = useForm({
    initial: { requireSecondFactor: organization.requireSecondFactor },
    async send(body) {
      const saved = await write(api.PATCH("/api/v1/organization", { body }));
      await readSession();
      return saved;
    },
    done: () => toast(SETTINGS.securitySaved),
  });
  return (
    <Card title={SETTINGS.security}>
      <Form form={form} submit={SETTINGS.saveSecurity} kind="plain" label={SETTINGS.security}>
        <CheckField
          label={SETTINGS.requireFactor}
          name="requireSecondFactor"
          isChecked={form.values.requireSecondFactor}
          onChange={(isRequired) => form.set({ requireSecondFactor: isRequired })}
          hint={SETTINGS.requireFactorHint}
        />
        {form.values.requireSecondFactor && !hasOwn && <Notice tone="warn">{SETTINGS.ownFactorMissing}</Notice>}
      </Form>
    </Card>
  );
}
