// The follow thread's tasks on mails, each one transaction.

import { toUtcDate } from "../../kernel/runtime.ts";
import { foldEmail } from "../../kernel/text/email.ts";
import type { AccountCall } from "../../people/call.ts";
import { sealBeside } from "../../people/mail-queue.ts";
import { insertResetLink } from "../../people/membership.ts";
import { findAccountByEmail } from "../../people/stores/account-store.ts";
import {
  endMail,
  findMail,
  type Mail,
  type NewMail,
  postponeMail,
  pruneMails,
  queueMail,
  resolveMail,
  storeMailUrl,
} from "../../people/stores/mail-store.ts";
import { storeSetting } from "../../storage/database/settings.ts";
import { type FollowCall, followTask } from "../../storage/follow/follow-task.ts";

/** Notes the URL that mails lead to; null: none are sent. */
export const noteMailTask = followTask("mail-note", (tx, { at }, { url }: { readonly url: string | null }): void => {
  storeMailUrl(tx, url, at);
});

/** What became of an attempt. */
export interface Settled {
  readonly id: string;
  readonly state: Mail["state"];
  readonly error: string | null;
  /** When it is tried again, where it stays queued. */
  readonly nextAttemptAt: string | null;
  /** 0 where it was not tried. */
  readonly tries: 0 | 1;
}

/** Notes what became of an attempt. */
export const settleMailTask = followTask("mail-settle", (tx, { at }, settled: Settled): void => {
  const { id, state, error, nextAttemptAt, tries } = settled;
  if (nextAttemptAt !== null) postponeMail(tx, { id, nextAttemptAt, error, tries });
  else endMail(tx, { id, state, error, tries, sentAt: state === "SENT" ? at : null });
});

const RECOVERY_MS = 3_600_000;
const BY_JOB = { actor: "job", accountId: null, apiKeyId: null, name: null } as const;

/** Looks for the account of a recovery: makes its link, or drops the mail. An operator gets a mail without a link. */
export const resolveRecoveryTask = followTask("mail-recovery", (tx, call, { id }: { readonly id: string }): void => {
  const mail = findMail(tx, { id });
  if (mail?.state !== "QUEUED" || mail.accountId !== null) return;
  const account = findAccountByEmail(tx, { emailFolded: foldEmail(mail.to) });
  if (!account || account.suspendedAt !== null) {
    endMail(tx, { id, state: "DROPPED", error: null, tries: 0, sentAt: null });
    return;
  }
  const found = { id, accountId: account.id, to: account.email };
  if (account.isOperator === 1) {
    resolveMail(tx, { ...found, about: id, sealed: null, expiresAt: null });
    return;
  }
  const maker = { maker: BY_JOB, orgId: null, sessionId: null, waits: false, lastsMs: RECOVERY_MS };
  const { id: about, token, expiresAt } = insertResetLink(tx, accountCallOf(call), account, maker);
  resolveMail(tx, { ...found, about, sealed: sealBeside(tx).seal(token, id), expiresAt });
});

function accountCallOf({ nowMs, at, newId }: FollowCall): AccountCall {
  const by = { actor: "job", accountId: null, apiKeyId: null } as const;
  const visitor = { requestId: null, method: null, path: null, address: null, userAgent: null };
  return { ...visitor, nowMs, at, today: toUtcDate(nowMs), by, newId };
}

/** Queues mails, each of a kind once for an account and what it is about, and notes a place or a day in a setting. */
export const queueMailsTask = followTask(
  "mail-queue",
  (tx, call, { mails, place }: { readonly mails: readonly NewMail[]; readonly place: PlaceNoted | null }): void => {
    for (const mail of mails) queueMail(tx, call, mail);
    if (place) storeSetting(tx, place.name, place.value);
  },
);

/** How far something was followed. */
export interface PlaceNoted {
  readonly name: string;
  readonly value: string;
}

/** Removes old mails. */
export const pruneMailsTask = followTask("mail-prune", (tx, _call, { before }: { readonly before: string }): void => {
  pruneMails(tx, { before });
});
