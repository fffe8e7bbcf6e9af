// What holders see under My holdings, with a picture of it; and whether members need a second factor.
import { readSession, session } from "../../api/session.ts";
import { Notice } from "../../parts/notice.tsx";
import { Card } from "../../parts/page-head.tsx";
import { toast } from "../../parts/toast.tsx";
import { SETTINGS } from "../../text/settings.ts";
import type { FieldSpec, Values } from "../actions/spec.ts";
import { ChangeForm } from "../records/change-form.tsx";

const PORTAL_FIELDS = [
  { name: "portalShowsOwnership", kind: "check" },
  { name: "portalShowsValue", kind: "check" },
  { name: "asksAcceptance", kind: "check" },
  { name: "portalContact", kind: "text", isOptional: true, maxLength: 200 },
] as const satisfies readonly FieldSpec[];
const PORTAL_WORDS = {
  portalShowsOwnership: { label: SETTINGS.showsOwnership, hint: SETTINGS.showsOwnershipHint },
  portalShowsValue: { label: SETTINGS.showsValue, hint: SETTINGS.showsValueHint },
  asksAcceptance: { label: SETTINGS.asksAcceptance, hint: SETTINGS.asksAcceptanceHint },
  portalContact: { label: SETTINGS.contact, hint: SETTINGS.contactHint },
};

/** The switches of the portal. */
export function Portal() {
  return (
    <Card title={SETTINGS.portal}>
      <p class="note">{SETTINGS.portalWords}</p>
      <ChangeForm
        of="/organization"
        fields={PORTAL_FIELDS}
        words={PORTAL_WORDS}
        submit={SETTINGS.savePortal}
        kind="plain"
        label={SETTINGS.portal}
        done={() => toast(SETTINGS.portalSaved)}
      >
        {(values) => <Preview shown={values} />}
      </ChangeForm>
    </Card>
  );
}

function Preview({ shown }: { readonly shown: Values }) {
  const contact = shown.portalContact?.trim();
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
        {contact && (
          <p class="note">
            {SETTINGS.questions} {contact}
          </p>
        )}
      </div>
    </figure>
  );
}

/** The switch of the second factor. */
export function SigningIn() {
  const account = session.value?.account;
  const hasOwn = account?.hasTotp === true || account?.hasPasskey === true;
  return (
    <Card title={SETTINGS.security}>
      <ChangeForm
        of="/organization"
        fields={[{ name: "requireSecondFactor", kind: "check" }]}
        words={{ requireSecondFactor: { label: SETTINGS.requireFactor, hint: SETTINGS.requireFactorHint } }}
        submit={SETTINGS.saveSecurity}
        kind="plain"
        label={SETTINGS.security}
        done={() => {
          void readSession();
          toast(SETTINGS.securitySaved);
        }}
      >
        {({ requireSecondFactor }) =>
          requireSecondFactor && !hasOwn && <Notice tone="warn">{SETTINGS.ownFactorMissing}</Notice>
        }
      </ChangeForm>
    </Card>
  );
}
