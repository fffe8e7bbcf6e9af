// Store of links, SQL: invitations, and resets of passwords. A token itself never comes here, only its SHA-256.
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

export type Link = Row<"links">;

/** A link by the hash of its token, in any state; null if there is no such link. */
export const findLink = first((param: Params<{ tokenHash: string }>) =>
  acrossOrganizations.selectFrom("links").selectAll().where("tokenHash", "=", param("tokenHash")),
);

/** A link, or null. */
export const findLinkById = first((param: Params<{ id: string }>) =>
  acrossOrganizations.selectFrom("links").selectAll().where("id", "=", param("id")),
);

function ofOrganization(param: Params<{ orgId: string }>) {
  return acrossOrganizations.selectFrom("links").where("orgId", "=", param("orgId"));
}

/** An organization's invitation, or null. */
export const findInvitation = first((param: Params<{ orgId: string; id: string }>) =>
  ofOrganization(param).selectAll().where("id", "=", param("id")).where("kind", "=", "INVITATION"),
);

/** An organization's invitations with `seq` below `before`, newest first. */
export const listInvitations = all((param: Params<{ orgId: string; before: number; limit: number }>) =>
  ofOrganization(param)
    .selectAll()
    .where("kind", "=", "INVITATION")
    .where("seq", "<", param("before"))
    .orderBy("seq", "desc")
    .limit(param("limit")),
);

/** Stores a new link. */
export function insertLink(tx: Tx, row: Omit<Link, "seq">): void {
  insertRow(tx, "links", row);
}

/** Marks a link as used; answers whether it was open. */
export const useLink = run((param: Params<{ id: string; at: string }>) =>
  build
    .updateTable("links")
    .set({ usedAt: param("at") })
    .where("id", "=", param("id"))
    .where("usedAt", "is", null)
    .where("revokedAt", "is", null),
);

/** Revokes a link that is open. */
export const revokeLink = run((param: Params<{ id: string; at: string }>) =>
  build
    .updateTable("links")
    .set({ revokedAt: param("at") })
    .where("id", "=", param("id"))
    .where("usedAt", "is", null)
    .where("revokedAt", "is", null),
);

/** An organization's open invitations of an e-mail address; some may have expired. */
export const listOpenInvitationsOf = all((param: Params<{ orgId: string; emailFolded: string }>) =>
  ofOrganization(param)
    .selectAll()
    .where("kind", "=", "INVITATION")
    .where("emailFolded", "=", param("emailFolded"))
    .where("usedAt", "is", null)
    .where("revokedAt", "is", null),
);

/** An account's open reset links; some may have expired. */
export const listOpenResetLinks = all((param: Params<{ accountId: string }>) =>
  acrossOrganizations
    .selectFrom("links")
    .selectAll()
    .where("accountId", "=", param("accountId"))
    .where("kind", "=", "RESET")
    .where("usedAt", "is", null)
    .where("revokedAt", "is", null)
    .orderBy("seq"),
);

/** The open links that an account, or a key, made; the id of the other is empty. */
export const listOpenLinksMadeBy = all((param: Params<{ accountId: string; apiKeyId: string }>) =>
  acrossOrganizations
    .selectFrom("links")
    .selectAll()
    .where((row) =>
      row.or([
        row(sql<string>`json_extract("madeBy", '$.accountId')`, "=", param("accountId")),
        row(sql<string>`json_extract("madeBy", '$.apiKeyId')`, "=", param("apiKeyId")),
      ]),
    )
    .where("usedAt", "is", null)
    .where("revokedAt", "is", null)
    .orderBy("seq"),
);

/** The operator's reset of an account that waits, and may be refused; null if there is no such reset. */
export const findWaitingReset = first((param: Params<{ accountId: string; at: string }>) =>
  acrossOrganizations
    .selectFrom("links")
    .selectAll()
    .where("accountId", "=", param("accountId"))
    .where("kind", "=", "RESET")
    .where("validFrom", "is not", null)
    .where("agreedAt", "is", null)
    .where("usedAt", "is", null)
    .where("revokedAt", "is", null)
    .where("expiresAt", ">", param("at")),
);

/** Notes that an administrator agreed to a reset that waits. */
export const agreeToLink = run((param: Params<{ id: string; at: string }>) =>
  build
    .updateTable("links")
    .set({ agreedAt: param("at") })
    .where("id", "=", param("id"))
    .where("agreedAt", "is", null),
);

/** Whether the account's password was set since an instant by a link that an operator made as such. */
export const wasResetByOperator = exists((param: Params<{ accountId: string; since: string }>) =>
  acrossOrganizations
    .selectFrom("links")
    .select("seq")
    .where("accountId", "=", param("accountId"))
    .where("kind", "=", "RESET")
    .where("orgId", "is", null)
    .where(sql<boolean>`json_extract("madeBy", '$.actor') = 'person'`)
    .where("usedAt", ">", param("since")),
);

/** Every open link: those that a restore brings back may have been used or revoked after the backup. */
export const listOpenLinks = all(() =>
  acrossOrganizations
    .selectFrom("links")
    .selectAll()
    .where("usedAt", "is", null)
    .where("revokedAt", "is", null)
    .orderBy("seq"),
);
