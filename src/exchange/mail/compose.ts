// Composes a queued mail from what it is about, as that is now; what has become void is dropped.

import { sealBeside } from "../../people/mail-queue.ts";
import { findAccount } from "../../people/stores/account-store.ts";
import { findLinkById } from "../../people/stores/link-store.ts";
import { findEvent } from "../../people/stores/log-store.ts";
import type { Mail } from "../../people/stores/mail-store.ts";
import { listSigningIn } from "../../people/stores/member-store.ts";
import { linkState } from "../../people/usable-links.ts";
import { findOrganization } from "../../resources/organization/store.ts";
import type { AccountEvent } from "../../storage/database/log/account-events.ts";
import { findRecord } from "../../storage/database/records.ts";
import type { Reader } from "../../storage/database/sql.ts";
import { TOPIC_OF } from "../../storage/records/mail.ts";
import type { DatedItem } from "../../views/dates/dates.ts";
import { INSTANCE_TROUBLES, type InstanceTrouble } from "./instance-watch.ts";
import { datesFor } from "./near-dates.ts";
import { addressNow } from "./readers.ts";
import type { OutgoingMail } from "./sender.ts";
import {
  acceptanceText,
  approvalText,
  datesText,
  emailChangeText,
  endpointText,
  instanceText,
  invitationText,
  type MailText,
  operatorResetText,
  recoveryText,
  resetText,
  securityText,
} from "./texts.ts";

/** Where and when a mail is composed. */
export interface Composing {
  readonly db: Reader;
  /** The URL that links begin with. */
  readonly url: string;
  readonly now: string;
  /** An organization's dates that are near on a day. */
  dates(orgId: string, day: string): readonly DatedItem[];
}

type TextOf = (mail: Mail, composing: Composing) => MailText | null;

const ADDRESS = /^[^\s@<>"]+@[^\s@<>"]+$/;

/** The mail as it goes out; null if it is of no use any more. */
export function compose(mail: Mail, composing: Composing): OutgoingMail | null {
  const { db, url } = composing;
  const address = addressNow(db, mail);
  const text = address === null ? null : (TEXTS[mail.kind]?.(mail, composing) ?? null);
  if (text === null || address === null) return null;
  const organization = mail.orgId === null ? null : findOrganization(db, mail.orgId);
  const account = mail.accountId === null ? null : findAccount(db, { id: mail.accountId });
  const contact = organization?.portalContact ?? "";
  return {
    ...text,
    id: mail.id,
    to: { name: account?.name ?? "", address },
    fromName: organization?.legalName ?? "captable",
    replyTo: ADDRESS.test(contact) ? contact : null,
    unsubscribe: TOPIC_OF[mail.kind] === undefined ? null : `${url}/account`,
  };
}

const TEXTS: Readonly<Partial<Record<Mail["kind"], TextOf>>> = {
  invitation: (mail, composing) =>
    withLink(mail, composing, "join", (address, { expiresAt }) => {
      const organization = mail.orgId === null ? null : findOrganization(composing.db, mail.orgId);
      return invitationText(organization?.legalName ?? "", address, expiresAt);
    }),
  "reset-link": (mail, composing) =>
    withLink(mail, composing, "reset", (address, { expiresAt, validFrom, agreedAt }) =>
      resetText(address, expiresAt, agreedAt === null ? validFrom : null),
    ),
  recovery(mail, composing) {
    // An operator's has no link, and is about itself. Another's that failed has lost its token, and is of no use.
    if (mail.about === mail.id) return recoveryText(null, null);
    return withLink(mail, composing, "reset", (address, { expiresAt }) => recoveryText(address, expiresAt));
  },
  "email-change": (mail, composing) =>
    withLink(mail, composing, "confirm-email", (address, { expiresAt }) => emailChangeText(address, expiresAt)),
  "operator-reset"({ about, accountId }, { db, url, now }) {
    const link = findLinkById(db, { id: about });
    if (link === null || linkState(link, now) !== "OPEN") return null;
    const { email, validFrom } = link;
    return operatorResetText({ email, validFrom, isOwn: link.accountId === accountId }, `${url}/`);
  },
  security({ about, createdAt }, { db, url }) {
    const event = findEvent(db, { id: about });
    const name = (event?.event ?? "email-changed") as AccountEvent;
    return securityText(name, event?.at ?? createdAt, `${url}/account`);
  },
  "approval-asked": approval,
  "approval-decided": approval,
  "acceptance-asked"({ about, orgId }, { db, url }) {
    const security = orgId === null ? null : findRecord(db, "securities", orgId, about.split(":")[0] ?? "");
    if (security?.acceptanceStatus !== "PENDING") return null;
    return acceptanceText(nameOf(db, orgId), security.certificateId, `${url}/o/${orgId}/mine`);
  },
  dates(mail, { db, url, dates }) {
    const { orgId, accountId, about } = mail;
    if (orgId === null) return null;
    const member = listSigningIn(db, { orgId }).find((each) => each.accountId === accountId);
    if (!member) return null;
    const items = datesFor(dates(orgId, about.split(":")[1] ?? ""), member);
    const page = member.role === "STAKEHOLDER" ? `${url}/o/${orgId}/mine` : `${url}/o/${orgId}`;
    return items.length === 0 ? null : datesText(nameOf(db, orgId), items, page);
  },
  instance({ about }, { url }) {
    return instanceText(INSTANCE_TROUBLES[about.split(":")[0] as InstanceTrouble], `${url}/instance`);
  },
  "endpoint-disabled": ({ orgId }, { db, url }) => endpointText(nameOf(db, orgId), `${url}/o/${orgId}/settings`),
};

function nameOf(db: Reader, orgId: string | null): string {
  return (orgId === null ? null : findOrganization(db, orgId)?.legalName) ?? "";
}

function withLink(
  { about, sealed, id }: Mail,
  { db, url, now }: Composing,
  page: string,
  textOf: (address: string, link: NonNullable<ReturnType<typeof findLinkById>>) => MailText,
): MailText | null {
  const link = findLinkById(db, { id: about });
  if (link === null || linkState(link, now) !== "OPEN" || sealed === null) return null;
  const token = sealBeside(db).open(sealed, id);
  return token === null ? null : textOf(`${url}/${page}#${token}`, link);
}

/** What it is about is the approval's id, a colon, and the state and place of the change. */
function approval({ about, orgId }: Mail, { db, url }: Composing): MailText | null {
  const [id = "", state = ""] = about.split(":");
  const found = orgId === null ? null : findRecord(db, "approvals", orgId, id);
  if (!found || orgId === null) return null;
  // It was decided before anybody was asked.
  if (state === "Submitted" && found.state !== state) return null;
  const organization = findOrganization(db, orgId)?.legalName ?? "";
  return approvalText({ title: found.title, state, organization }, `${url}/o/${orgId}/approvals/${id}`);
}
