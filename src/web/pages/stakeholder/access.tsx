// Who has access as a stakeholder, and the link by which they get it. For administrators.
import { useState } from "preact/hooks";
import { answer, type Schemas, write } from "../../api/client.ts";
import { useWholeList } from "../../api/list-pages.ts";
import { useOrganization } from "../../frame/page-organization.ts";
import { Button } from "../../parts/button.tsx";
import { Copy } from "../../parts/copy.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { PlainForm } from "../../parts/forms/plain-form.tsx";
import { Notice } from "../../parts/notice.tsx";
import { COMMON, FIELD_FAULTS, ROLE_NAMES } from "../../text/common.ts";
import { STAKEHOLDERS } from "../../text/stakeholders.ts";

type Stakeholder = Schemas["Stakeholder"];

/** The member with access as this stakeholder, in the head of the page, or a button to invite one. */
export function Access({ stakeholder }: { readonly stakeholder: Stakeholder }) {
  const { api, key } = useOrganization();
  const [isInviting, setInviting] = useState(false);
  const query = useWholeList(key("members"), (page, signal) =>
    answer(api.GET("/api/v1/members", { params: { query: page }, signal })),
  );
  if (!query.data) return null;
  const own = query.data.items.filter(({ stakeholderIds }) => stakeholderIds.includes(stakeholder.id));
  const names = own.map(({ name, role }) => STAKEHOLDERS.hasAccess(name, ROLE_NAMES[role]));
  return (
    <>
      <p class="page-about note">
        {names.join(" ") || STAKEHOLDERS.noAccess}{" "}
        {own.length === 0 && (
          <Button kind="quiet" onClick={() => setInviting(true)}>
            {STAKEHOLDERS.invite}
          </Button>
        )}
      </p>
      {isInviting && <Invitation stakeholder={stakeholder} onClose={() => setInviting(false)} />}
    </>
  );
}

function Invitation({ stakeholder, onClose }: { readonly stakeholder: Stakeholder; readonly onClose: () => void }) {
  const { api } = useOrganization();
  const [url, setUrl] = useState<string | null>(null);
  const title = STAKEHOLDERS.inviteTitle(stakeholder.displayName);
  if (url !== null) {
    return (
      <Dialog title={title}>
        <Notice tone="warn">{STAKEHOLDERS.invited}</Notice>
        <code class="breakable">{url}</code>
        <div class="row">
          <Copy text={url} label={STAKEHOLDERS.copyLink} />
          <Button onClick={onClose}>{STAKEHOLDERS.done}</Button>
        </div>
      </Dialog>
    );
  }
  return (
    <Dialog title={title} onClose={onClose}>
      <p>{STAKEHOLDERS.inviteWords}</p>
      <PlainForm
        fields={[
          { name: "email", kind: "text", isEmail: true, missing: FIELD_FAULTS.email, given: () => stakeholder.email },
        ]}
        words={{ email: { label: STAKEHOLDERS.email } }}
        submit={STAKEHOLDERS.inviteSend}
        label={title}
        beside={<Button onClick={onClose}>{COMMON.cancel}</Button>}
        send={({ email }) => {
          const asked = { email, role: "STAKEHOLDER" as const, stakeholderIds: [stakeholder.id] };
          return write(api.POST("/api/v1/invitations", { body: asked }));
        }}
        done={(made) => setUrl(made.url)}
        refused={({ status }) => (status === 409 ? { name: "email" } : undefined)}
      />
    </Dialog>
  );
}
