// Who still may read a queued mail: hours may go by before it is sent, and its person may be removed, suspended, get
// another role or another address meanwhile, or turn such mails off.

import { findAccount } from "../../people/stores/account-store.ts";
import { INSTANCE, isTurnedOff, type Mail } from "../../people/stores/mail-store.ts";
import { listSigningIn } from "../../people/stores/member-store.ts";
import { findRecord } from "../../storage/database/records.ts";
import type { Reader } from "../../storage/database/sql.ts";
import { TOPIC_OF } from "../../storage/records/mail.ts";
import type { MemberRole } from "../../storage/records/member.ts";

/** The roles that may read what a kind tells; the other kinds are about the person's own account or link. */
const ROLES: Readonly<Partial<Record<Mail["kind"], readonly MemberRole[]>>> = {
  "operator-reset": ["ADMIN"],
  "approval-asked": ["EDITOR", "ADMIN"],
  "approval-decided": ["VIEWER", "EDITOR", "ADMIN"],
  "acceptance-asked": ["STAKEHOLDER", "VIEWER", "EDITOR", "ADMIN"],
  dates: ["STAKEHOLDER", "EDITOR", "ADMIN"],
  "endpoint-disabled": ["ADMIN"],
};

/** Whether a member of this role may read what a kind tells. */
export function mayRead(kind: Mail["kind"], role: MemberRole): boolean {
  return ROLES[kind]?.includes(role) ?? true;
}

/** Whether a member is this stakeholder; `stakeholderIds` is its JSON. */
export function isStakeholder({ stakeholderIds }: { readonly stakeholderIds: string }, id: string | null): boolean {
  return id !== null && (JSON.parse(stakeholderIds) as string[]).includes(id);
}

/** The address of the person whom a mail is for, as it is now; null if the mail is not for that person any more. */
export function addressNow(db: Reader, mail: Pick<Mail, "kind" | "about" | "to" | "orgId" | "accountId">) {
  const { kind, orgId, accountId, to } = mail;
  const topic = TOPIC_OF[kind];
  const of = orgId ?? INSTANCE;
  if (accountId !== null && topic !== undefined && isTurnedOff(db, { accountId, orgId: of, topic })) return null;
  if (kind === "instance") {
    const account = findAccount(db, { id: accountId ?? "" });
    return account?.isOperator === 1 && account.suspendedAt === null ? account.email : null;
  }
  // Of an operator's reset the person itself hears without an organization.
  if (ROLES[kind] === undefined || orgId === null) return to;
  const member = listSigningIn(db, { orgId }).find((each) => each.accountId === accountId);
  if (member === undefined || !mayRead(kind, member.role)) return null;
  if (kind === "acceptance-asked" && !isAsked(db, orgId, member, mail.about)) return null;
  return member.email;
}

/** Whether a security is there to be accepted, and the member is its holder. */
function isAsked(db: Reader, orgId: string, member: { readonly stakeholderIds: string }, about: string): boolean {
  const security = findRecord(db, "securities", orgId, about.split(":")[0] ?? "");
  return security?.status === "ACTIVE" && isStakeholder(member, security.stakeholderId);
}
