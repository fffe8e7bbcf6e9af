// Store of calendars, SQL. A calendar's address itself never comes here, only its token's SHA-256.
import { insertRow } from "../../storage/database/row-writes.ts";
import { HAS_SECOND_FACTOR } from "../../storage/database/second-factor.ts";
import {
  acrossOrganizations,
  all,
  build,
  first,
  type Params,
  type Row,
  run,
  type Tx,
} from "../../storage/database/sql.ts";

export type Calendar = Row<"calendars">;

/**
 * A calendar by the hash of its token, with the membership that it shows; null if there is no such calendar, or its
 * person is no member any more or suspended.
 */
export const findCalendar = first((param: Params<{ tokenHash: string }>) =>
  acrossOrganizations
    .selectFrom("calendars")
    .innerJoin("accounts", "accounts.id", "calendars.accountId")
    .innerJoin("organizations", "organizations.id", "calendars.orgId")
    .innerJoin("memberships", (join) =>
      join
        .onRef("memberships.accountId", "=", "calendars.accountId")
        .onRef("memberships.orgId", "=", "calendars.orgId")
        .on("memberships.removedAt", "is", null),
    )
    .select(["calendars.id", "calendars.orgId", "calendars.accountId", "calendars.createdAt", "showsNames"])
    .select(["legalName", "requireSecondFactor", "role", "memberships.stakeholderIds"])
    .select(HAS_SECOND_FACTOR.as("hasSecondFactor"))
    .where("tokenHash", "=", param("tokenHash"))
    .where("suspendedAt", "is", null),
);

/** An account's calendars, oldest first. */
export const listCalendars = all((param: Params<{ accountId: string }>) =>
  acrossOrganizations
    .selectFrom("calendars")
    .innerJoin("organizations", "organizations.id", "calendars.orgId")
    .select(["calendars.id", "orgId", "legalName", "showsNames", "calendars.createdAt"])
    .where("accountId", "=", param("accountId"))
    .orderBy("calendars.seq"),
);

/** Every calendar, oldest first. */
export const listAllCalendars = all(() => acrossOrganizations.selectFrom("calendars").select("id").orderBy("seq"));

/** Stores a new calendar. */
export function insertCalendar(tx: Tx, row: Omit<Calendar, "seq">): void {
  insertRow(tx, "calendars", row);
}

/** Removes a calendar: its address works no more. */
export const deleteCalendar = run((param: Params<{ id: string }>) =>
  build.deleteFrom("calendars").where("id", "=", param("id")),
);
