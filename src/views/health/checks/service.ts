// Health checks of the service: tokens, administrators and keys, and backups. Pure.
import { counted } from "../../../kernel/text/text.ts";
import { classSubject, type Found, foundOf, securitySubject } from "../finding.ts";
import type { BackupState, Company } from "../health-company.ts";

/**
 * What has no token although it should: classes that failed, securities of the others that did, and classes of which
 * some other background work failed.
 */
export function tokensFailed({ classes, register, failedClasses }: Company): Found | null {
  const failed = new Set(
    classes.flatMap(({ id, tokenizationStatus }) => (tokenizationStatus === "FAILED" ? [id] : [])),
  );
  const securities = register.open.filter(({ tokenStatus, stockClassId }) => {
    return tokenStatus === "FAILED" && stockClassId !== null && !failed.has(stockClassId);
  });
  const told = new Set(securities.map(({ stockClassId }) => stockClassId));
  const stuck = classes.filter(({ id }) => failed.has(id) || (failedClasses.has(id) && !told.has(id)));
  const subjects = [...stuck.map(classSubject), ...securities.map(securitySubject)];
  return foundOf(subjects, () => {
    const parts = [
      ...(stuck.length > 0 ? [counted(stuck.length, "share class", "share classes")] : []),
      ...(securities.length > 0 ? [counted(securities.length, "security", "securities")] : []),
    ];
    return `Work on the tokens of ${parts.join(" and ")} failed. The ledger is not affected; try again from the class.`;
  });
}

/** Classes whose token was last found to differ from the ledger. */
export function chainDiffers({ classes, tokenDifferences }: Company): Found | null {
  const since = new Map(tokenDifferences.map((difference) => [difference.stockClassId, difference.since]));
  const found = classes.filter(({ id, tokenizationStatus }) => tokenizationStatus === "DEPLOYED" && since.has(id));
  return foundOf(found.map(classSubject), (count) => {
    const first = found.map(({ id }) => since.get(id) ?? "").sort()[0] ?? "";
    const tokens = count === 1 ? "The token of 1 share class differs" : `The tokens of ${count} share classes differ`;
    return `${tokens} from the ledger, since ${first.slice(0, "2026-01-15".length)}. The ledger is the record.`;
  });
}

/** Administrators with a password alone. Only callers who may see the members see the names. */
export function adminsWithoutSecondFactor({ adminsWithoutFactor: count }: Company): Found | null {
  if (count === 0) return null;
  const have = counted(count, "administrator has", "administrators have");
  return { count, subjects: [], detail: `${have} no second factor: a stolen password is enough to be one of them.` };
}

/** Keys that still work although their author lost the right to make them. Only callers who may see keys see which. */
export function keysOfFormerMembers({ keysOfFormer: keys, endpointsOfFormer: endpoints }: Company): Found | null {
  if (keys + endpoints === 0) return null;
  const words = [
    ...(keys === 0 ? [] : [keys === 1 ? "1 API key works that was" : `${keys} API keys work that were`]),
    ...(endpoints === 0
      ? []
      : [
          endpoints === 1
            ? "1 webhook endpoint is enabled that was"
            : `${endpoints} webhook endpoints are enabled that were`,
        ]),
  ];
  const rest = "made by a former administrator, or with a key that no longer works.";
  const remedy = endpoints === 0 ? "Revoke unneeded ones." : "Revoke or disable unneeded ones.";
  return { count: keys + endpoints, subjects: [], detail: `${words.join(", and ")} ${rest} ${remedy}` };
}

/** Keys that end by themselves within 30 days: what uses them is refused from then on. */
export function keysEnding({ keysEnding: { count, first } }: Company): Found | null {
  if (count === 0) return null;
  const end = count === 1 ? "1 API key ends" : `${count} API keys end`;
  const when = count === 1 ? `on ${first}` : `within 30 days, the first on ${first}`;
  return { count, subjects: [], detail: `${end} ${when}. Programs using it are then refused: make another in time.` };
}

/** Mails that the mail server refused, or does not accept. */
export function mailsFailing({ mailsFailing: count }: Company): Found | null {
  if (count === 0) return null;
  const mails = count === 1 ? "1 mail of the last 7 days was" : `${count} mails of the last 7 days were`;
  return { count, subjects: [], detail: `${mails} not accepted by the mail server: see Settings, Mail.` };
}

/** Keys that may do everything and never end by themselves. */
export function adminKeysWithoutEnd({ adminKeysWithoutEnd: count }: Company): Found | null {
  if (count === 0) return null;
  const work = count === 1 ? "1 ADMIN key works" : `${count} ADMIN keys work`;
  const detail = `${work} until it is revoked. Give keys an expiry and revoke those without: a lost one stays valid.`;
  return { count, subjects: [], detail: count === 1 ? detail : detail.replace("it is revoked", "they are revoked") };
}

const HOUR_MS = 3_600_000;
const INTERVALS_MAX = 2;

/** No backup for more than twice the server's backup interval. */
export function backupsOld({ backups }: Company): Found | null {
  if (backups === null || backups.ageMs <= INTERVALS_MAX * backups.everyHours * HOUR_MS) return null;
  return { count: 1, subjects: [], detail: backupWords(backups) };
}

/** Writes that no time stamp covers for more than twice the interval. */
export function stampsOld({ stamps }: Company): Found | null {
  if (stamps === null || stamps.ageMs <= INTERVALS_MAX * stamps.everyHours * HOUR_MS) return null;
  const age = counted(Math.floor(stamps.ageMs / HOUR_MS), "hour", "hours");
  const last = stamps.last === null ? "no time stamp has come yet" : `the last is of ${stamps.last}`;
  const due = `one is due every ${counted(stamps.everyHours, "hour", "hours")}`;
  const detail = `Writes of ${age} ago have no time stamp; ${last}, and ${due}: ask the operator of the server.`;
  return { count: 1, subjects: [], detail };
}

function backupWords({ everyHours, ageMs, isMade }: BackupState): string {
  const age = counted(Math.floor(ageMs / HOUR_MS), "hour", "hours");
  const due = `one is due every ${counted(everyHours, "hour", "hours")}`;
  const since = isMade ? `The last backup of this service was made ${age} ago` : "This service has no backup yet";
  return `${since}, and ${due}: ask the operator of the server.`;
}
