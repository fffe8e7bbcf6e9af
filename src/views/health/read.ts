// Reads one organization for the health checks, and makes the health report. It refuses nothing.

import { type Timestamp, toTimestamp, toUtcDate } from "../../kernel/runtime.ts";
import { findPastLimits } from "../../ledger/past/past-limits.ts";
import { openLedger } from "../../ledger/past/store.ts";
import { listDatedSplits } from "../../ledger/splits/dated-splits.ts";
import { getOrganization } from "../../resources/organization/store.ts";
import { LAST_BACKUP } from "../../storage/data-dir/last-backup.ts";
import { listEvery } from "../../storage/database/records.ts";
import { findSetting } from "../../storage/database/settings.ts";
import { inSnapshot } from "../../storage/database/snapshot.ts";
import type { Reader } from "../../storage/database/sql.ts";
import { Register } from "./check-register.ts";
import { type Finding, findingsOf } from "./findings.ts";
import type { BackupState, Company, Intervals, StampState } from "./health-company.ts";
import { readVesting } from "./health-vesting.ts";
import {
  countAdminKeysWithoutEnd,
  countAdminsWithoutFactor,
  countEndpointsOfFormer,
  countKeysOfFormer,
  countMailsFailing,
  findBeginning,
  findKeysEnding,
  findLastStamp,
  findUnstamped,
  listApprovalRows,
  listBareDocuments,
  listDatedOtherwise,
  listFailedClasses,
  listHolderRows,
  listSecurityRows,
  listTokenDifferences,
  listValuationRows,
  listWaitingRows,
} from "./store.ts";

/** The report of one organization. */
export interface HealthReport {
  readonly checkedAt: Timestamp;
  readonly findings: readonly Finding[];
}

/** When it is, and what the server does by itself. */
export interface Circumstances extends Intervals {
  readonly nowMs: number;
}

/** Looks an organization over, as it is at this moment. */
export function readHealth(db: Reader, orgId: string, circumstances: Circumstances): HealthReport {
  const company = inSnapshot(db, () => readCompany(db, orgId, circumstances));
  return { checkedAt: toTimestamp(circumstances.nowMs), findings: findingsOf(company) };
}

function readCompany(
  db: Reader,
  orgId: string,
  { nowMs, backupEveryHours, timestampEveryHours }: Circumstances,
): Company {
  const today = toUtcDate(nowMs);
  const isKept = ({ deletedAt }: { readonly deletedAt: string | null }) => deletedAt === null;
  return {
    today,
    organization: getOrganization(db, orgId),
    classes: listEvery(db, "share_classes", orgId).filter(isKept),
    plans: listEvery(db, "equity_plans", orgId).filter(isKept),
    register: new Register(listSecurityRows(db, { orgId })),
    daysOnLedger: new Map(listDatedOtherwise(db, { orgId }).map(({ id, effectiveDate }) => [id, effectiveDate])),
    holders: listHolderRows(db, { orgId }),
    approvals: listApprovalRows(db, { orgId }),
    valuations: listValuationRows(db, { orgId }),
    waiting: listWaitingRows(db, { orgId }),
    splits: listDatedSplits(db, orgId),
    documents: listBareDocuments(db, { orgId }),
    past: findPastLimits(openLedger(db, orgId)),
    vesting: readVesting(db, orgId, today),
    tokenDifferences: listTokenDifferences(db, { orgId }),
    failedClasses: new Set(listFailedClasses(db, orgId)),
    endpointsOfFormer: Number(countEndpointsOfFormer(db, { orgId, at: toTimestamp(nowMs) })),
    keysOfFormer: Number(countKeysOfFormer(db, { orgId, at: toTimestamp(nowMs) })),
    keysEnding: readKeysEnding(db, orgId, nowMs),
    adminKeysWithoutEnd: Number(countAdminKeysWithoutEnd(db, { orgId })),
    mailsFailing: Number(countMailsFailing(db, { orgId, since: toTimestamp(nowMs - MAILS_LOOKED_AT_MS) })),
    adminsWithoutFactor: Number(countAdminsWithoutFactor(db, { orgId })),
    backups: backupEveryHours === null ? null : readBackups(db, nowMs, backupEveryHours),
    stamps: timestampEveryHours === null ? null : readStamps(db, orgId, nowMs, timestampEveryHours),
  };
}

/** For how long a mail that failed is reported. */
const MAILS_LOOKED_AT_MS = 7 * 86_400_000;

/** How long before its end a key is reported. */
const KEY_ENDS_SOON_MS = 30 * 86_400_000;

function readKeysEnding(db: Reader, orgId: string, nowMs: number): Company["keysEnding"] {
  const until = toTimestamp(nowMs + KEY_ENDS_SOON_MS);
  const found = findKeysEnding(db, { orgId, at: toTimestamp(nowMs), until });
  return { count: Number(found?.count ?? 0), first: found?.first?.slice(0, "2026-01-15".length) ?? null };
}

function readStamps(db: Reader, orgId: string, nowMs: number, everyHours: number): StampState {
  const since = findUnstamped(db, { orgId });
  const last = findLastStamp(db, { orgId });
  return { everyHours, ageMs: since === null ? 0 : nowMs - Date.parse(since), last };
}

function readBackups(db: Reader, nowMs: number, everyHours: number): BackupState {
  const last = findSetting(db, LAST_BACKUP);
  const beginning = findBeginning(db);
  const sinceMs = last !== null ? Number(last) : beginning === null ? nowMs : Date.parse(beginning);
  return { everyHours, ageMs: nowMs - sinceMs, isMade: last !== null };
}
