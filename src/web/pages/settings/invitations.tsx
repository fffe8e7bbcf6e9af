// Invitations: making one, whose link is shown this once, and the open ones.
import { useState } from "preact/hooks";
import { answer, type Schemas, write } from "../../api/client.ts";
import { useWholeList } from "../../api/list-pages.ts";
import { type Role, session } from "../../api/session.ts";
import { type Holders, useHolders } from "../../frame/holders.ts";
import { useOrganization } from "../../frame/page-organization.ts";
import { ConfirmButton } from "../../parts/confirm.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { Instant, None } from "../../parts/figure.tsx";
import { Card } from "../../parts/page-head.tsx";
import { Empty, Loaded } from "../../parts/states.tsx";
import { type Column, Table } from "../../parts/tables/table.tsx";
import { toast } from "../../parts/toast.tsx";
import { ROLE_NAMES } from "../../text/common.ts";
import { MEMBERS } from "../../text/settings.ts";
import { SpecForm } from "../records/spec-form.tsx";
import { LinkDialog, type MadeLink } from "./link-dialog.tsx";
import { ROLE_WORDS, roleFields } from "./role-fields.ts";

type Invitation = Schemas["InvitationsPage"]["items"][number];

/** The dialog that makes an invitation. */
export function Invite({
  holders,
  email = "",
  stakeholderIds = [],
  onClose,
}: {
  readonly holders: Holders;
  readonly email?: string;
  readonly stakeholderIds?: readonly string[];
  readonly onClose: () => void;
}) {
  const { api, name: organization } = useOrganization();
  const [link, setLink] = useState<MadeLink | null>(null);
  const role: Role = stakeholderIds.length > 0 ? "STAKEHOLDER" : "VIEWER";
  if (link) return <LinkDialog link={link} onClose={onClose} />;
  return (
    <Dialog title={MEMBERS.invite} onClose={onClose}>
      <p>{MEMBERS.inviteWords}</p>
      <SpecForm
        fields={[
          { name: "email", kind: "text", isEmail: true },
          ...roleFields(holders),
          { name: "isMailed", kind: "check", isShown: () => session.value?.sendsMail === true },
        ]}
        words={{ email: { label: MEMBERS.email }, ...ROLE_WORDS, isMailed: { label: MEMBERS.isMailed } }}
        given={{ email, role, stakeholderIds }}
        submit={MEMBERS.makeLink}
        label={MEMBERS.invite}
        send={(body) => write(api.POST("/api/v1/invitations", { body }))}
        done={(made) => {
          const words = { subject: MEMBERS.mailSubject(organization), body: MEMBERS.mailBody(organization, made.url) };
          setLink({ ...made, ...words });
        }}
        refused={({ status }) => (status === 409 ? { name: "email" } : undefined)}
      />
    </Dialog>
  );
}

function columnsOf(holders: Holders): readonly Column<Invitation>[] {
  return [
    { id: "email", label: MEMBERS.email, cell: ({ email }) => <span class="breakable">{email}</span> },
    { id: "role", label: MEMBERS.role, cell: ({ role }) => ROLE_NAMES[role] },
    {
      id: "holders",
      label: MEMBERS.holders,
      isWide: true,
      cell: ({ stakeholderIds }) =>
        stakeholderIds.length === 0 ? <None /> : stakeholderIds.map((id) => holders.nameOf(id)).join(", "),
    },
    { id: "until", label: MEMBERS.expires, isWide: true, cell: ({ expiresAt }) => <Instant value={expiresAt} /> },
    { id: "revoke", label: "", name: MEMBERS.revoke, isFigure: true, cell: ({ id }) => <Revoke id={id} /> },
  ];
}

function Revoke({ id }: { readonly id: string }) {
  const { api } = useOrganization();
  const act = async () => {
    await write(api.DELETE("/api/v1/invitations/{id}", { params: { path: { id } } }));
    toast(MEMBERS.revoked);
  };
  return <ConfirmButton kind="quiet" label={MEMBERS.revoke} words={MEMBERS.revokeWords} act={act} />;
}

/** The invitations that wait. */
export function Invitations() {
  const { api, key } = useOrganization();
  const holders = useHolders();
  const query = useWholeList(key("invitations"), (page, signal) =>
    answer(api.GET("/api/v1/invitations", { params: { query: page }, signal })),
  );
  return (
    <Card title={MEMBERS.invitations}>
      <Loaded query={query} what={MEMBERS.invitations} lines={2}>
        {({ items }) => {
          const open = items.filter(({ state }) => state === "OPEN");
          if (open.length === 0) return <Empty words={MEMBERS.noInvitations} />;
          const columns = columnsOf(holders);
          return <Table label={MEMBERS.invitations} columns={columns} rows={open} keyOf={({ id }) => id} />;
        }}
      </Loaded>
    </Card>
  );
}
