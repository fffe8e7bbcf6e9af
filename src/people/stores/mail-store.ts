// Store of mails, SQL: what is queued, sent, failed or dropped, and what people have turned off.
import { sql } from "kysely";
import { isOfOpen } from "../../storage/database/closed.ts";
import { insertRow } from "../../storage/database/row-writes.ts";
import { findSetting, storeSetting } from "../../storage/database/settings.ts";
import {
  acrossOrganizations,
  all,
  build,
  exists,
  first,
  type Params,
  type Reader,
  type Row,
  run,
  type Tx,
  value,
  variants,
} from "../../storage/database/sql.ts";

export type Mail = Row<"mails">;

/** Whether this mail stands in the queue or its past already: a kind's, to an account, about one thing. */
const isKnown = exists((param: Params<Pick<Mail, "kind" | "about"> & { accountId: string }>) =>
  acrossOrganizations
    .selectFrom("mails")
    .select("id")
    .where("kind", "=", param("kind"))
    .where("accountId", "=", param("accountId"))
    .where("about", "=", param("about"))
    .limit(1),
);

/** The setting of the data directory: the URL that links in mails begin with, or empty where none are sent. */
const MAIL_URL = "mailUrl";

/**
 * The URL that links in mails begin with; null where the service sends no mail. The database remembers it, so that
 * every change knows, whatever thread carries it out.
 */
export function findMailUrl(db: Reader): string | null {
  return findSetting(db, MAIL_URL) || null;
}

/** Since when mail is on. */
const MAIL_SINCE = "mailSince";

/** The moment since which the service sends mail; what was recorded before makes none. */
export function findMailSince(db: Reader): string {
  return findSetting(db, MAIL_SINCE) ?? "";
}

/** Notes whether mail is sent, and if it is on from now on, since when. */
export function storeMailUrl(tx: Tx, url: string | null, at: string): void {
  if (url !== null && findMailUrl(tx) === null) storeSetting(tx, MAIL_SINCE, at);
  storeSetting(tx, MAIL_URL, url ?? "");
}

/** A mail to queue; `about` is of a kind once for each account. */
export interface NewMail extends Pick<Mail, "kind" | "to" | "about"> {
  readonly orgId?: string | null;
  readonly accountId?: string | null;
  readonly expiresAt?: string | null;
}

/** Queues a mail; does nothing where the service sends none, or this one is known. `seal` seals what it keeps. */
export function queueMail(
  tx: Tx,
  { at, newId }: { readonly at: string; newId(): string },
  { kind, to, about, orgId = null, accountId = null, expiresAt = null }: NewMail,
  seal: (id: string) => string | null = () => null,
): void {
  if (findMailUrl(tx) === null) return;
  if (accountId !== null && isKnown(tx, { kind, accountId, about })) return;
  const id = newId();
  const made = { id, createdAt: at, kind, orgId, accountId, to, about, state: "QUEUED" as const, attempts: 0 };
  insertRow(tx, "mails", { ...made, nextAttemptAt: at, expiresAt, error: null, sealed: seal(id), sentAt: null });
}

/** A mail, or null. */
export const findMail = first((param: Params<{ id: string }>) =>
  acrossOrganizations.selectFrom("mails").selectAll().where("id", "=", param("id")),
);

/** Those about a person's account, which go on where an organization is closed. */
const OF_ACCOUNTS: readonly Mail["kind"][] = ["reset-link", "recovery", "email-change", "operator-reset", "security"];

/** The queued mails that are due at an instant, the longest due first; those of closed organizations rest. */
export const listDueMails = all((param: Params<{ at: string; limit: number }>) =>
  acrossOrganizations
    .selectFrom("mails")
    .selectAll()
    .where("state", "=", "QUEUED")
    .where("nextAttemptAt", "<=", param("at"))
    .where((where) => where.or([where("orgId", "is", null), where("kind", "in", OF_ACCOUNTS), isOfOpen("mails.orgId")]))
    .orderBy("nextAttemptAt")
    .limit(param("limit")),
);

/** Notes that an attempt failed, and when the next one is due. */
export const postponeMail = run(
  (param: Params<{ id: string; nextAttemptAt: string; error: string | null; tries: number }>) =>
    build
      .updateTable("mails")
      .set({
        attempts: sql`attempts + ${param("tries")}`,
        nextAttemptAt: param("nextAttemptAt"),
        error: param("error"),
      })
      .where("id", "=", param("id"))
      .where("state", "=", "QUEUED"),
);

/** Ends a queued mail: its token goes. */
export const endMail = run(
  (param: Params<Pick<Mail, "id" | "error" | "sentAt"> & { state: Mail["state"]; tries: number }>) =>
    build
      .updateTable("mails")
      .set({ state: param("state"), attempts: sql`attempts + ${param("tries")}`, error: param("error") })
      .set({ sentAt: param("sentAt"), nextAttemptAt: null, sealed: null })
      .where("id", "=", param("id"))
      .where("state", "=", "QUEUED"),
);

/** Gives a recovery its account, address and link. */
export const resolveMail = run(
  (param: Params<Pick<Mail, "id" | "sealed" | "expiresAt" | "about"> & { accountId: string; to: string }>) =>
    build
      .updateTable("mails")
      .set({ accountId: param("accountId"), to: param("to"), about: param("about") })
      .set({ sealed: param("sealed"), expiresAt: param("expiresAt") })
      .where("id", "=", param("id")),
);

/** Queues a failed mail once more. */
export const requeueMail = run((param: Params<{ id: string; at: string }>) =>
  build
    .updateTable("mails")
    .set({ state: "QUEUED", nextAttemptAt: param("at"), error: null })
    .where("id", "=", param("id"))
    .where("state", "=", "FAILED"),
);

const drop = run(() =>
  build.updateTable("mails").set({ state: "DROPPED", nextAttemptAt: null, sealed: null }).where("state", "=", "QUEUED"),
);

/**
 * Drops what is queued, and turns mail off until a service turns it on: in restored data links end, and what happened
 * before has been told.
 */
export function dropQueued(tx: Tx): void {
  drop(tx);
  if (findMailUrl(tx) !== null) storeSetting(tx, MAIL_URL, "");
}

/** Removes mails that were made before an instant and are at their end. */
export const pruneMails = run((param: Params<{ before: string }>) =>
  build.deleteFrom("mails").where("createdAt", "<", param("before")).where("state", "<>", "QUEUED"),
);

/** How many mails of an organization were sent since an instant. */
export const countSentSince = value((param: Params<{ orgId: string; since: string }>) =>
  acrossOrganizations
    .selectFrom("mails")
    .select((rows) => rows.fn.countAll<number>().as("count"))
    .where("orgId", "=", param("orgId"))
    .where("sentAt", ">", param("since")),
);

/** An organization's mails with `seq` below `before`, newest first: of any state, or of one. */
export const listMails = variants<
  { orgId: string; before: number; limit: number; state: string },
  Mail,
  [isOfAnyState: boolean]
>((param, isOfAnyState) => {
  const mails = acrossOrganizations
    .selectFrom("mails")
    .selectAll()
    .where("orgId", "=", param("orgId"))
    .where("seq", "<", param("before"))
    .orderBy("seq", "desc")
    .limit(param("limit"));
  return isOfAnyState ? mails : mails.where("state", "=", sql<Mail["state"]>`${param("state")}`);
});

/** The newest mails of the instance, newest first. */
export const listAllMails = all((param: Params<{ limit: number }>) =>
  acrossOrganizations.selectFrom("mails").selectAll().orderBy("seq", "desc").limit(param("limit")),
);

/** What stands for the organization in choices about the instance. */
export const INSTANCE = "";

/** Whether an account has turned a topic off, in an organization or for {@link INSTANCE}. */
export const isTurnedOff = exists((param: Params<Row<"mail_choices">>) =>
  acrossOrganizations
    .selectFrom("mail_choices")
    .select("topic")
    .where("accountId", "=", param("accountId"))
    .where("orgId", "=", param("orgId"))
    .where("topic", "=", param("topic"))
    .limit(1),
);

/** What an account has turned off. */
export const listMailChoices = all((param: Params<{ accountId: string }>) =>
  acrossOrganizations.selectFrom("mail_choices").selectAll().where("accountId", "=", param("accountId")),
);

/** Turns a topic off. */
export function turnOff(tx: Tx, row: Row<"mail_choices">): void {
  insertRow(tx, "mail_choices", row);
}

/** Turns a topic on again. */
export const turnOn = run((param: Params<Row<"mail_choices">>) =>
  build
    .deleteFrom("mail_choices")
    .where("accountId", "=", param("accountId"))
    .where("orgId", "=", param("orgId"))
    .where("topic", "=", param("topic")),
);
