// Store of sessions: SQL. A token itself never comes here, only its SHA-256.
import { sql } from "kysely";
import { insertRow } from "../../storage/database/row-writes.ts";
import {
  acrossOrganizations,
  all,
  build,
  exists,
  first,
  type Params,
  type Row,
  run,
  type Tx,
} from "../../storage/database/sql.ts";

/**
 * An open session of an account that may sign in, by the hash of its token; null if there is no such session. It may
 * have expired.
 */
export const findOpenSession = first((param: Params<{ tokenHash: string }>) =>
  acrossOrganizations
    .selectFrom("sessions")
    .innerJoin("accounts", "accounts.id", "sessions.accountId")
    .select([
      "sessions.id",
      "accountId",
      "email",
      "name",
      "isOperator",
      "hasSecondFactor",
      "sessions.createdAt",
      "confirmedAt",
      "lastSeenAt",
      "expiresAt",
    ])
    .where("tokenHash", "=", param("tokenHash"))
    .where("endedAt", "is", null)
    .where("suspendedAt", "is", null),
);

/** An account's memberships, oldest first. */
export const listMembershipsOf = all((param: Params<{ accountId: string }>) =>
  acrossOrganizations
    .selectFrom("memberships")
    .innerJoin("organizations", "organizations.id", "memberships.orgId")
    .select(["memberships.id", "orgId", "legalName", "role", "stakeholderIds", "requireSecondFactor"])
    .where("accountId", "=", param("accountId"))
    .where("removedAt", "is", null)
    .orderBy("memberships.seq"),
);

/** Stores a new session. */
export function insertSession(tx: Tx, row: Omit<Row<"sessions">, "seq">): void {
  insertRow(tx, "sessions", row);
}

/** Whether a session is open. */
export const isOpenSession = exists((param: Params<{ id: string; accountId: string }>) =>
  acrossOrganizations
    .selectFrom("sessions")
    .select("seq")
    .where("id", "=", param("id"))
    .where("accountId", "=", param("accountId"))
    .where("endedAt", "is", null),
);

/** A session in any state; null if there is no such session. */
export const findSession = first((param: Params<{ id: string }>) =>
  acrossOrganizations.selectFrom("sessions").selectAll().where("id", "=", param("id")),
);

/** Whether a second factor was given in a session. */
export const isWithSecondFactor = exists((param: Params<{ id: string }>) =>
  acrossOrganizations
    .selectFrom("sessions")
    .select("seq")
    .where("id", "=", param("id"))
    .where("hasSecondFactor", "=", 1),
);

/** Every open session of an account, newest first; some may have expired. */
export const listOpenSessions = all((param: Params<{ accountId: string }>) =>
  acrossOrganizations
    .selectFrom("sessions")
    .selectAll()
    .where("accountId", "=", param("accountId"))
    .where("endedAt", "is", null)
    .orderBy("seq", "desc"),
);

/** Clears the second-factor mark of an account's open sessions: it has no second factor any more. */
export const clearSecondFactors = run((param: Params<{ accountId: string }>) =>
  build
    .updateTable("sessions")
    .set({ hasSecondFactor: 0 })
    .where("accountId", "=", param("accountId"))
    .where("endedAt", "is", null),
);

/** Gives a session another token; `gives` adds that a second factor was given in it. */
export const renewSession = run((param: Params<{ id: string; tokenHash: string; gives: 0 | 1 }>) =>
  build
    .updateTable("sessions")
    .set({ tokenHash: param("tokenHash"), hasSecondFactor: sql<0 | 1>`max("hasSecondFactor", ${param("gives")})` })
    .where("id", "=", param("id")),
);

/** Records when the person last proved its identity. */
export const setConfirmed = run((param: Params<{ id: string; confirmedAt: string }>) =>
  build
    .updateTable("sessions")
    .set({ confirmedAt: param("confirmedAt") })
    .where("id", "=", param("id")),
);

/** Records when a session was last used. */
export const touchSession = run((param: Params<{ id: string; at: string }>) =>
  build
    .updateTable("sessions")
    .set({ lastSeenAt: param("at") })
    .where("id", "=", param("id"))
    .where("lastSeenAt", "<", param("at")),
);

/** Ends a session. */
export const endSession = run((param: Params<{ id: string; at: string; by: string }>) =>
  build
    .updateTable("sessions")
    .set({ endedAt: param("at"), endedBy: param("by") })
    .where("id", "=", param("id"))
    .where("endedAt", "is", null),
);

/** Ends the sessions of an account, except `except` if given; returns how many. */
export const endSessionsOf = run((param: Params<{ accountId: string; except: string; at: string; by: string }>) =>
  build
    .updateTable("sessions")
    .set({ endedAt: param("at"), endedBy: param("by") })
    .where("accountId", "=", param("accountId"))
    .where("id", "<>", param("except"))
    .where("endedAt", "is", null),
);

/** The ids of all open sessions. */
export const listAllOpenSessions = all(() =>
  acrossOrganizations.selectFrom("sessions").select("id").where("endedAt", "is", null).orderBy("seq"),
);

/** Ends every session: those that a restore brings back may have been ended after the backup. */
export const endAllSessions = run((param: Params<{ at: string; by: string }>) =>
  build
    .updateTable("sessions")
    .set({ endedAt: param("at"), endedBy: param("by") })
    .where("endedAt", "is", null),
);

/** Deletes at most `most` sessions that ended, by themselves or not, before an instant. */
export const pruneSessions = run((param: Params<{ before: string; most: number }>) =>
  build.deleteFrom("sessions").where("seq", "in", (rows) =>
    rows
      .selectFrom("sessions")
      .select("seq")
      .where((row) => row.or([row("endedAt", "<", param("before")), row("expiresAt", "<", param("before"))]))
      .orderBy("seq")
      .limit(param("most")),
  ),
);
