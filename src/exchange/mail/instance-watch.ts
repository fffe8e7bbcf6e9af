// What operators hear about the instance: backups that are late, and a disk that is nearly full; once, and then each day
// while it lasts.
import { statfsSync } from "node:fs";
import type { CalendarDate } from "../../kernel/date.ts";
import { listOperators } from "../../people/stores/account-store.ts";
import { INSTANCE, isTurnedOff, type NewMail } from "../../people/stores/mail-store.ts";
import { LAST_BACKUP } from "../../storage/data-dir/last-backup.ts";
import { findSetting } from "../../storage/database/settings.ts";
import type { Reader } from "../../storage/database/sql.ts";
import type { FollowSettings } from "../../storage/follow/follower.ts";
import { findLastEvent } from "../../storage/follow/instance-store.ts";

/** What may be wrong, in words. */
export const INSTANCE_TROUBLES = {
  backup: "The last backup is older than twice its interval, or could not be made.",
  offsite: "The last copy elsewhere is older than twice the interval of backups, or could not be made.",
  disk: "The disk of the data directory has less than a tenth of its room free.",
} as const;

/** A trouble of the instance. */
export type InstanceTrouble = keyof typeof INSTANCE_TROUBLES;

const HOUR_MS = 3_600_000;
const FREE_SHARE_MIN = 0.1;

/** What is wrong; `beganMs` is when mail was turned on: a new service has no backup yet. */
export function troublesOf(
  db: Reader,
  settings: Pick<FollowSettings, "dataDir" | "backupDir" | "backupEveryHours">,
  { nowMs, beganMs }: { readonly nowMs: number; readonly beganMs: number },
): readonly InstanceTrouble[] {
  const lastOf = (type: string, or = type) => findLastEvent(db, { type, or });
  const isOld = (lastMs: number) => nowMs - lastMs > 2 * settings.backupEveryHours * HOUR_MS;
  const troubles: InstanceTrouble[] = [];
  if (settings.backupDir !== null) {
    const isFailed = lastOf("backup.completed", "backup.failed")?.type === "backup.failed";
    if (isFailed || isOld(Number(findSetting(db, LAST_BACKUP) ?? beganMs))) troubles.push("backup");
    const [copy, whole] = [lastOf("offsite.completed", "offsite.failed"), lastOf("offsite.completed")];
    if (copy?.type === "offsite.failed" || (whole && isOld(Date.parse(whole.at)))) troubles.push("offsite");
  }
  const { bavail, blocks } = statfsSync(settings.dataDir);
  if (blocks > 0 && bavail / blocks < FREE_SHARE_MIN) troubles.push("disk");
  return troubles;
}

/** The mails of a day to operators. */
export function mailsToOperators(
  db: Reader,
  troubles: readonly InstanceTrouble[],
  day: CalendarDate,
): readonly NewMail[] {
  if (troubles.length === 0) return [];
  const operators = listOperators(db).filter(
    ({ id: accountId }) => !isTurnedOff(db, { accountId, orgId: INSTANCE, topic: "instance" }),
  );
  return operators.flatMap(({ id: accountId, email }) =>
    troubles.map((trouble) => ({ kind: "instance" as const, to: email, accountId, about: `${trouble}:${day}` })),
  );
}
