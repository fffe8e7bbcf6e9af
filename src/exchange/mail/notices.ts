// Notices: reads the log from a place of its own on, and queues the mails that its rows make, each once: approvals that
// wait or were decided, securities that wait for their holder, endpoints that were disabled.

import { toTimestamp } from "../../kernel/runtime.ts";
import { isTurnedOff, type NewMail } from "../../people/stores/mail-store.ts";
import { listSigningIn } from "../../people/stores/member-store.ts";
import { listAuditEntries } from "../../resources/audit-log/store.ts";
import { findAny } from "../../storage/database/records.ts";
import { findSetting } from "../../storage/database/settings.ts";
import type { Reader } from "../../storage/database/sql.ts";
import type { MailTopic } from "../../storage/records/mail.ts";
import { listNoticed, type NoticedRow, newestLogSeq } from "./notice-store.ts";
import { isStakeholder, mayRead } from "./readers.ts";
import type { PlaceNoted } from "./tasks.ts";

/** How far the log was read; beside it the moment since which mail is on. */
const PLACE = "mailPlace";
/** How many places of the log are looked at in one step. */
const STEP = 20_000;
/** Rows that are older make no mail: they came with an organization from elsewhere. */
const NEWS_MS = 72 * 3_600_000;
const SUBMISSIONS_LOOKED_AT = 100;

/** What is to be queued, and the place then; null where there is nothing to note. */
export interface Noticed {
  readonly mails: readonly NewMail[];
  readonly place: PlaceNoted;
  /** The place in the log. */
  readonly upTo: number;
  /** Whether the log goes on behind it. */
  readonly hasMore: boolean;
}

/**
 * Reads on from the place that is noted, or from `read`, which was read to since then; null where the log has nothing
 * more. `since` says since when mail is on: what was before makes no mail.
 */
export function readNotices(db: Reader, since: string, nowMs: number, read = 0): Noticed | null {
  const last = newestLogSeq(db) ?? 0;
  const [known, seq] = (findSetting(db, PLACE) ?? "").split(" ");
  const place = Math.max(Number(seq), read);
  const after = known === since ? Math.min(place, last) : last;
  if (known === since && place === last) return null;
  const upTo = Math.min(last, after + STEP);
  const from = toTimestamp(nowMs - NEWS_MS);
  const rows = listNoticed(db, { after, upTo }).filter(({ at }) => at >= from);
  const mails = rows.flatMap((row) => mailsOf(db, row));
  return { mails, place: { name: PLACE, value: `${since} ${upTo}` }, upTo, hasMore: upTo < last };
}

function mailsOf(db: Reader, row: NoticedRow): readonly NewMail[] {
  const after = JSON.parse(row.after) as Readonly<Record<string, unknown>>;
  if (row.resourceType === "security") return asked(db, row);
  if (row.resourceType === "approval") return approval(db, row, String(after.state));
  return disabled(db, row);
}

type Member = ReturnType<typeof listSigningIn>[number];

function to({ accountId, email }: Member, { orgId, seq }: NoticedRow, kind: NewMail["kind"], what: string): NewMail {
  return { kind, to: email, orgId, accountId, about: `${what}:${seq}` };
}

function wants(db: Reader, { accountId }: Member, orgId: string, topic: MailTopic): boolean {
  return !isTurnedOff(db, { accountId, orgId, topic });
}

function approval(db: Reader, row: NoticedRow, state: string): readonly NewMail[] {
  const { orgId, resourceId, accountId } = row;
  const members = listSigningIn(db, { orgId }).filter((each) => wants(db, each, orgId, "approvals"));
  if (state === "Submitted") {
    return members
      .filter(({ role, accountId: id }) => mayRead("approval-asked", role) && id !== accountId)
      .map((each) => to(each, row, "approval-asked", `${resourceId}:${state}`));
  }
  const submitter = submitterOf(db, row);
  return members
    .filter((each) => each.accountId === submitter)
    .map((each) => to(each, row, "approval-decided", `${resourceId}:${state}`));
}

/** Who submitted an approval last, before a row of the log; null if no person did. */
function submitterOf(db: Reader, { orgId, resourceId, sequence }: NoticedRow): string | null {
  const filters = { resourceType: "approval", resourceId };
  const rows = listAuditEntries(db, { orgId, filters, before: sequence, limit: SUBMISSIONS_LOOKED_AT });
  const submitted = rows.find(({ after }) => (JSON.parse(after ?? "{}") as { state?: string }).state === "Submitted");
  return submitted?.accountId ?? null;
}

function asked(db: Reader, row: NoticedRow): readonly NewMail[] {
  const { orgId, resourceId } = row;
  const security = findAny(db, "securities", orgId, resourceId);
  if (security?.acceptanceStatus !== "PENDING" || security.status !== "ACTIVE") return [];
  const { stakeholderId } = security;
  return listSigningIn(db, { orgId })
    .filter((each) => isStakeholder(each, stakeholderId))
    .filter((each) => wants(db, each, orgId, "acceptances"))
    .map((each) => to(each, row, "acceptance-asked", resourceId));
}

function disabled(db: Reader, row: NoticedRow): readonly NewMail[] {
  return listSigningIn(db, { orgId: row.orgId })
    .filter(({ role }) => mayRead("endpoint-disabled", role))
    .map((each) => to(each, row, "endpoint-disabled", row.resourceId));
}
