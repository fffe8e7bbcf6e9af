// Removes all credentials of people from an unpacked backup, and makes a reset link for each person: passwords from the
// time of the backup, and factors that were removed since, give no access any more.
import { commandLineCall } from "../../kernel/call.ts";
import { systemRuntime } from "../../kernel/runtime.ts";
import { removeFactors } from "../../people/accounts.ts";
import { accountCall } from "../../people/call.ts";
import { insertResetLink } from "../../people/membership.ts";
import { type Account, listAccounts, setPasswordHash } from "../../people/stores/account-store.ts";
import { reportEvent } from "../../people/stores/log-store.ts";
import { listOpenMemberships } from "../../people/stores/member-store.ts";
import { tellOf } from "../../storage/database/log/audit.ts";
import type { Tx } from "../../storage/database/sql.ts";
import { writeUnpacked } from "./unpacked.ts";

const LASTS_MS = 7 * 86_400_000;
const BY_COMMAND = { actor: "cli", accountId: null, apiKeyId: null, name: null } as const;

/** A link with which a person sets a password: its token, shown once. */
export interface NewWayIn {
  readonly email: string;
  readonly token: string;
  readonly expiresAt: string;
}

/** Does so in the folder's database; returns the links of members and operators who are not suspended. */
export function makeNewPeople(folder: string): Promise<readonly NewWayIn[]> {
  return writeUnpacked(folder, (tx) => listAccounts(tx).flatMap((each) => renew(tx, each)));
}

function renew(tx: Tx, account: Account): readonly NewWayIn[] {
  const { id: accountId, email } = account;
  const call = accountCall(commandLineCall(systemRuntime, ""));
  if (account.passwordHash !== null) {
    setPasswordHash(tx, { id: accountId, passwordHash: null });
    reportEvent(tx, call, { accountId, event: "password-changed", data: { password: null } });
  }
  removeFactors(tx, call, accountId);
  const memberships = listOpenMemberships(tx, { accountId });
  for (const { orgId } of memberships) {
    const after = { passwordRemovedAt: call.at, secondFactorsRemovedAt: call.at };
    tellOf(tx, commandLineCall(systemRuntime, orgId), "account", accountId, after);
  }
  if (account.suspendedAt !== null || (memberships.length === 0 && account.isOperator === 0)) return [];
  const maker = { maker: BY_COMMAND, orgId: null, sessionId: null, waits: false, lastsMs: LASTS_MS };
  const { token, expiresAt } = insertResetLink(tx, call, account, maker);
  return [{ email, token, expiresAt }];
}
