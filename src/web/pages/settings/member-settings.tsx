// Members: who may do what here; changing, resetting, signing out and removing one.
import { useState } from "preact/hooks";
import { answer, type Schemas, write } from "../../api/client.ts";
import { useWholeList } from "../../api/list-pages.ts";
import { useChangedOnceGone, useQuery } from "../../api/query.ts";
import { readSession, session } from "../../api/session.ts";
import { type Holders, useHolders } from "../../frame/holders.ts";
import { useOrganization } from "../../frame/page-organization.ts";
import { Button } from "../../parts/button.tsx";
import { ConfirmButton } from "../../parts/confirm.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { Instant, None } from "../../parts/figure.tsx";
import { Badge, Notice } from "../../parts/notice.tsx";
import { Card } from "../../parts/page-head.tsx";
import { Loaded } from "../../parts/states.tsx";
import { type Column, Table, useSorting } from "../../parts/tables/table.tsx";
import { toast } from "../../parts/toast.tsx";
import { useAction } from "../../parts/use-action.tsx";
import { ROLE_NAMES } from "../../text/common.ts";
import { MEMBERS } from "../../text/settings.ts";
import { ChangeForm } from "../records/change-form.tsx";
import { Invite } from "./invitations.tsx";
import { LinkDialog, type MadeLink } from "./link-dialog.tsx";
import { ROLE_WORDS, roleFields } from "./role-fields.ts";

type Member = Schemas["MembersPage"]["items"][number];

const isOneself = ({ accountId }: Member) => accountId === session.value?.account?.id;

function Factor({ of: { hasSecondFactor } }: { readonly of: Member }) {
  return hasSecondFactor ? MEMBERS.hasFactor : <Badge tone="warn">{MEMBERS.hasNoFactor}</Badge>;
}

function LastSeen({ of: { lastSeenAt } }: { readonly of: Member }) {
  return lastSeenAt ? <Instant value={lastSeenAt} /> : MEMBERS.never;
}

function columnsOf(holders: Holders, onManage: (member: Member) => void): readonly Column<Member>[] {
  return [
    {
      id: "name",
      label: MEMBERS.name,
      sortBy: ({ name }) => name,
      cell: (member) => (
        <>
          {member.name} {isOneself(member) && <Badge tone="plain">{MEMBERS.you}</Badge>}
          <div class="note small">{member.email}</div>
          <span class="only-narrow note">
            {MEMBERS.factor}: <Factor of={member} />
            <br />
            {MEMBERS.lastSeen}: <LastSeen of={member} />
          </span>
        </>
      ),
    },
    { id: "role", label: MEMBERS.role, sortBy: ({ role }) => role, cell: ({ role }) => ROLE_NAMES[role] },
    {
      id: "holders",
      label: MEMBERS.holders,
      isWide: true,
      cell: ({ stakeholderIds }) =>
        stakeholderIds.length === 0 ? <None /> : stakeholderIds.map((id) => holders.nameOf(id)).join(", "),
    },
    {
      id: "factor",
      label: MEMBERS.factor,
      isWide: true,
      cell: (member) => <Factor of={member} />,
    },
    {
      id: "seen",
      label: MEMBERS.lastSeen,
      isWide: true,
      sortBy: ({ lastSeenAt }) => lastSeenAt,
      cell: (member) => <LastSeen of={member} />,
    },
    {
      id: "manage",
      label: "",
      name: MEMBERS.manage,
      isFigure: true,
      cell: (member) => (
        <Button kind="quiet" aria-label={MEMBERS.manageName(member.name)} onClick={() => onManage(member)}>
          {MEMBERS.manage}
        </Button>
      ),
    },
  ];
}

/** The list. */
export function Members() {
  const { api, key } = useOrganization();
  const holders = useHolders();
  const [managed, setManaged] = useState<Member | null>(null);
  const [isInviting, setInviting] = useState(false);
  const query = useWholeList(key("members"), (page, signal) =>
    answer(api.GET("/api/v1/members", { params: { query: page }, signal })),
  );
  const columns = columnsOf(holders, setManaged);
  const { sorting, toggle } = useSorting(columns);
  const invite = (
    <Button kind="primary" onClick={() => setInviting(true)}>
      {MEMBERS.invite}
    </Button>
  );
  return (
    <Card title={MEMBERS.members} actions={invite}>
      <Loaded query={query} what={MEMBERS.members}>
        {({ items }) => (
          <Table
            label={MEMBERS.members}
            columns={columns}
            rows={items}
            keyOf={({ id }) => id}
            sorting={sorting}
            onSort={toggle}
          />
        )}
      </Loaded>
      {managed && <Manage member={managed} holders={holders} onClose={() => setManaged(null)} />}
      {isInviting && <Invite holders={holders} onClose={() => setInviting(false)} />}
    </Card>
  );
}

interface ManageProps {
  readonly member: Member;
  readonly holders: Holders;
  readonly onClose: () => void;
}

function Manage({ member, holders, onClose }: ManageProps) {
  return (
    <Dialog title={member.name} onClose={onClose}>
      <ChangeForm
        of={`/members/${member.id}`}
        isOfMoment
        fields={roleFields(holders)}
        words={ROLE_WORDS}
        submit={MEMBERS.save}
        label={member.name}
        done={() => {
          if (isOneself(member)) void readSession();
          toast(MEMBERS.saved(member.name));
          onClose();
        }}
        refused={({ status }) => (status === 409 ? { name: "stakeholderIds" } : undefined)}
      />
      {member.pendingEmail !== null && <PendingEmail member={member} email={member.pendingEmail} onClose={onClose} />}
      {member.operatorReset && <OperatorReset member={member} reset={member.operatorReset} onClose={onClose} />}
      <Access member={member} onClose={onClose} />
    </Dialog>
  );
}

/** The e-mail address that the person asked for. */
function PendingEmail({ member, email, onClose }: Omit<ManageProps, "holders"> & { readonly email: string }) {
  const { api } = useOrganization();
  const accept = async () => {
    const params = { path: { id: member.id } };
    await write(api.POST("/api/v1/members/{id}/accept-email", { params, body: { pendingEmail: email } }));
    toast(MEMBERS.emailAccepted);
    onClose();
  };
  return (
    <Notice title={MEMBERS.pendingEmail(email)}>
      {!isOneself(member) && (
        <ConfirmButton kind="plain" label={MEMBERS.acceptEmail} words={MEMBERS.acceptEmailWords(email)} act={accept} />
      )}
    </Notice>
  );
}

/** An operator's reset of the person, which may be refused. */
function OperatorReset({
  member,
  reset,
  onClose,
}: Omit<ManageProps, "holders"> & { readonly reset: NonNullable<Member["operatorReset"]> }) {
  const { api } = useOrganization();
  const decide = async (decision: "ALLOW" | "REFUSE") => {
    const params = { path: { id: member.id } };
    await write(api.POST("/api/v1/members/{id}/operator-reset", { params, body: { decision } }));
    toast(decision === "ALLOW" ? MEMBERS.allowed : MEMBERS.refused);
    await readSession();
    onClose();
  };
  const refuse = useAction(() => decide("REFUSE"));
  return (
    <Notice tone="warn" title={MEMBERS.operatorReset}>
      <p>
        {MEMBERS.operatorResetWords(reset.name ?? MEMBERS.anOperator)} <Instant value={reset.validFrom} />.
      </p>
      {!isOneself(member) && (
        <>
          <Button kind="primary" {...refuse.button}>
            {MEMBERS.refuseReset}
          </Button>
          {refuse.trouble}
          <ConfirmButton
            kind="quiet"
            label={MEMBERS.allowReset}
            words={MEMBERS.allowWords}
            act={() => decide("ALLOW")}
          />
        </>
      )}
    </Notice>
  );
}

/** What happens with a removal: the keys that the person made go, too, unless they are to stay. */
function KeysMade({
  keys,
  isTicked,
  onTick,
}: {
  readonly keys: readonly {
    readonly id: string;
    readonly kind: "API_KEY" | "WEBHOOK_ENDPOINT";
    readonly name: string;
    readonly role: keyof typeof ROLE_NAMES;
  }[];
  readonly isTicked: boolean;
  readonly onTick: (isTicked: boolean) => void;
}) {
  if (keys.length === 0) return null;
  return (
    <>
      <p>{MEMBERS.keysMade}</p>
      <ul>
        {keys.map(({ id, kind, name, role }) => (
          <li key={id}>
            {name} ({kind === "API_KEY" ? ROLE_NAMES[role] : MEMBERS.webhook})
          </li>
        ))}
      </ul>
      <label class="check spaced">
        <input type="checkbox" checked={isTicked} onChange={() => onTick(!isTicked)} /> {MEMBERS.revokeKeys}
      </label>
    </>
  );
}

function Access({ member, onClose }: Omit<ManageProps, "holders">) {
  const { api, key, name: organization } = useOrganization();
  const [link, setLink] = useState<MadeLink | null>(null);
  const params = { path: { id: member.id } };
  const reset = useAction(async () => {
    const made = await write(api.POST("/api/v1/members/{id}/reset-link", { params }));
    const words = { subject: MEMBERS.resetSubject(organization), body: MEMBERS.resetBody(made.url) };
    setLink({ ...made, ...words, email: member.email });
  });
  const mailed = useAction(async () => {
    await write(api.POST("/api/v1/members/{id}/reset-link", { params, body: { isMailed: true } }));
    toast(MEMBERS.resetMailed(member.email));
  });
  const end = useAction(async () => {
    await write(api.DELETE("/api/v1/members/{id}/sessions", { params }));
    toast(MEMBERS.ended);
  });
  const isSelf = isOneself(member);
  const made = useQuery(key("member", member.id), (signal) =>
    answer(api.GET("/api/v1/members/{id}", { params, signal })),
  );
  const deleted = useChangedOnceGone();
  const [revokesKeys, setRevokesKeys] = useState(true);
  const keysMade = made.data?.keysMade ?? [];
  const remove = async () => {
    const revokeKeys = revokesKeys ? ("true" as const) : ("false" as const);
    const removal = { params: { ...params, query: { revokeKeys } } };
    if (isSelf) {
      await answer(api.DELETE("/api/v1/members/{id}", removal));
      const { state } = await readSession();
      location.assign(state === "SIGNED_IN" ? "/organizations" : "/sign-in");
      return;
    }
    await answer(api.DELETE("/api/v1/members/{id}", removal));
    deleted();
    toast(MEMBERS.removed(member.name));
    onClose();
  };
  return (
    <div class="part">
      <h3>{MEMBERS.access}</h3>
      <p class="note">{MEMBERS.resetWords}</p>
      <Button {...reset.button}>{MEMBERS.reset}</Button>
      {reset.trouble}
      {session.value?.sendsMail === true && <Button {...mailed.button}>{MEMBERS.mailReset}</Button>}
      {mailed.trouble}
      {!isSelf && (
        <>
          <p class="note">{MEMBERS.endWords}</p>
          <Button {...end.button}>{MEMBERS.endSessions}</Button>
          {end.trouble}
        </>
      )}
      <ConfirmButton
        kind="danger"
        label={MEMBERS.remove}
        words={
          <>
            {isSelf ? MEMBERS.removeSelfWords : MEMBERS.removeWords(member.name)}
            <KeysMade keys={keysMade} isTicked={revokesKeys} onTick={setRevokesKeys} />
          </>
        }
        act={remove}
      />
      {link && <LinkDialog link={link} onClose={() => setLink(null)} />}
    </div>
  );
}
