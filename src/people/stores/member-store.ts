// Store of members, SQL: roles in an organization, and the stakeholders that a member is.
import { type RawBuilder, sql } from "kysely";
import type { Call } from "../../kernel/call.ts";
import { changeLogged, insertLogged } from "../../storage/database/log/logged.ts";
import { insertRow } from "../../storage/database/row-writes.ts";
import { HAS_SECOND_FACTOR } from "../../storage/database/second-factor.ts";
import {
  acrossOrganizations,
  all,
  build,
  exists,
  first,
  ofOrganization,
  type Params,
  run,
  type Tx,
  value,
} from "../../storage/database/sql.ts";
import type { MemberRole } from "../../storage/records/member.ts";

/** An operator's reset of the member that waits, or that an administrator may still refuse; as JSON. */
function operatorReset(at: RawBuilder<string>): RawBuilder<string | null> {
  return sql`(select json_object('requestedAt', "createdAt", 'validFrom', "validFrom",
      'name', json_extract("madeBy", '$.name'))
    from links where links."accountId" = accounts.id and kind = 'RESET' and "validFrom" is not null
      and "agreedAt" is null and "usedAt" is null and "revokedAt" is null and "expiresAt" > ${at}
    order by seq desc limit 1)`;
}

/** How many members of an organization have an operator's reset that waits, or may still be refused. */
export const countWaitingResets = value((param: Params<{ orgId: string; at: string }>) =>
  acrossOrganizations
    .selectFrom("memberships")
    .innerJoin("accounts", "accounts.id", "memberships.accountId")
    .select((rows) => rows.fn.countAll<number>().as("count"))
    .where("orgId", "=", param("orgId"))
    .where("removedAt", "is", null)
    .where(operatorReset(param("at")), "is not", null),
);

function members(param: Params<{ orgId: string; at: string }>) {
  return acrossOrganizations
    .selectFrom("memberships")
    .innerJoin("accounts", "accounts.id", "memberships.accountId")
    .select([
      "memberships.seq",
      "memberships.id",
      "orgId",
      "accountId",
      "accounts.name",
      "accounts.email",
      "accounts.pendingEmail",
      "accounts.pendingEmailAt",
      "role",
      "stakeholderIds",
      "memberships.createdAt",
      "suspendedAt",
      "isOperator",
    ])
    .select(HAS_SECOND_FACTOR.as("hasSecondFactor"))
    .select(operatorReset(param("at")).as("operatorReset"))
    .select((row) =>
      row
        .selectFrom("sessions")
        .select((sessions) => sessions.fn.max("lastSeenAt").as("at"))
        .whereRef("sessions.accountId", "=", "accounts.id")
        .as("lastSeenAt"),
    )
    .where("orgId", "=", param("orgId"))
    .where("removedAt", "is", null);
}

/** A member, or null. */
export const findMember = first((param: Params<{ orgId: string; id: string; at: string }>) =>
  members(param).where("memberships.id", "=", param("id")),
);

export type Member = NonNullable<ReturnType<typeof findMember>>;

/** The member with a folded e-mail address, or null. */
export const findMemberOf = first((param: Params<{ orgId: string; emailFolded: string; at: string }>) =>
  members(param).where("emailFolded", "=", param("emailFolded")),
);

/** Up to `limit` members with `seq` below `before`, newest first. */
export const listMembers = all((param: Params<{ orgId: string; before: number; limit: number; at: string }>) =>
  members(param)
    .where("memberships.seq", "<", param("before"))
    .orderBy("memberships.seq", "desc")
    .limit(param("limit")),
);

/** Whether an account is a member of an organization. */
export const isMember = exists((param: Params<{ orgId: string; accountId: string }>) =>
  ofOrganization("memberships", param)
    .select("seq")
    .where("accountId", "=", param("accountId"))
    .where("removedAt", "is", null),
);

/** Whether an account is an ADMIN of an organization. */
export const isAdmin = exists((param: Params<{ orgId: string; accountId: string }>) =>
  ofOrganization("memberships", param)
    .select("seq")
    .where("accountId", "=", param("accountId"))
    .where("role", "=", "ADMIN")
    .where("removedAt", "is", null),
);

/** Whether two accounts are members of one organization. */
export const isBesides = exists((param: Params<{ accountId: string; otherId: string }>) =>
  acrossOrganizations
    .selectFrom("memberships as one")
    .innerJoin("memberships as other", "other.orgId", "one.orgId")
    .select("one.seq")
    .where("one.accountId", "=", param("accountId"))
    .where("other.accountId", "=", param("otherId"))
    .where("one.removedAt", "is", null)
    .where("other.removedAt", "is", null),
);

/** How many organizations an account is a member of. */
export const countMemberships = value((param: Params<{ accountId: string }>) =>
  acrossOrganizations
    .selectFrom("memberships")
    .select((rows) => rows.fn.countAll<number>().as("count"))
    .where("accountId", "=", param("accountId"))
    .where("removedAt", "is", null),
);

/** Whether `accountId` is a member of an organization where `adminId` is not an ADMIN. */
export const isMemberBeyond = exists((param: Params<{ accountId: string; adminId: string }>) =>
  acrossOrganizations
    .selectFrom("memberships as theirs")
    .select("seq")
    .where("theirs.accountId", "=", param("accountId"))
    .where("theirs.removedAt", "is", null)
    .where((row) =>
      row.not(
        row.exists(
          row
            .selectFrom("memberships as own")
            .select("own.seq")
            .whereRef("own.orgId", "=", "theirs.orgId")
            .where("own.accountId", "=", param("adminId"))
            .where("own.role", "=", "ADMIN")
            .where("own.removedAt", "is", null),
        ),
      ),
    ),
);

/**
 * Whether one of an organization's stakeholders is linked to a member already, other than the member with the id
 * `except`.
 */
export const memberOfStakeholder = value((param: Params<{ orgId: string; stakeholderId: string }>) =>
  ofOrganization("membership_stakeholders", param)
    .select("membershipId")
    .where("stakeholderId", "=", param("stakeholderId")),
);

const release = run((param: Params<{ orgId: string; membershipId: string }>) =>
  build
    .deleteFrom("membership_stakeholders")
    .where("orgId", "=", param("orgId"))
    .where("membershipId", "=", param("membershipId")),
);

/** The values of a membership. */
export interface NewMembership {
  readonly id: string;
  readonly accountId: string;
  readonly role: MemberRole;
  readonly stakeholderIds: readonly string[];
}

/** Makes an account a member of the call's organization. */
export function insertMembership(tx: Tx, call: Call, { id, accountId, role, stakeholderIds }: NewMembership): void {
  const { orgId, at: createdAt } = call;
  const row = {
    orgId,
    id,
    accountId,
    role,
    stakeholderIds: JSON.stringify(stakeholderIds),
    createdAt,
    removedAt: null,
  };
  insertLogged(tx, call, "memberships", row);
  take(tx, orgId, id, stakeholderIds);
}

/** Changes a member's role and stakeholders. */
export function changeMembership(
  tx: Tx,
  call: Call,
  id: string,
  { role, stakeholderIds }: Pick<NewMembership, "role" | "stakeholderIds">,
): void {
  changeLogged(tx, call, "memberships", id, { role, stakeholderIds: JSON.stringify(stakeholderIds) });
  release(tx, { orgId: call.orgId, membershipId: id });
  take(tx, call.orgId, id, stakeholderIds);
}

/** Removes a member. */
export function removeMembership(tx: Tx, call: Call, id: string): void {
  changeLogged(tx, call, "memberships", id, { removedAt: call.at });
  release(tx, { orgId: call.orgId, membershipId: id });
}

function take(tx: Tx, orgId: string, membershipId: string, stakeholderIds: readonly string[]): void {
  for (const stakeholderId of stakeholderIds) {
    insertRow(tx, "membership_stakeholders", { orgId, stakeholderId, membershipId });
  }
}

/** The open memberships of an account, as they are stored. */
export const listOpenMemberships = all((param: Params<{ accountId: string }>) =>
  acrossOrganizations
    .selectFrom("memberships")
    .selectAll()
    .where("accountId", "=", param("accountId"))
    .where("removedAt", "is", null)
    .orderBy("seq"),
);

/** An organization's members who can sign in, oldest first. */
export const listSigningIn = all((param: Params<{ orgId: string }>) =>
  ofOrganization("memberships", param)
    .innerJoin("accounts", "accounts.id", "memberships.accountId")
    .select(["accountId", "accounts.email", "accounts.name", "role", "stakeholderIds"])
    .where("removedAt", "is", null)
    .where("suspendedAt", "is", null)
    .orderBy("memberships.seq"),
);
