// The SQL of links: invitations, and resets of passwords. A token itself never comes here, only its SHA-256.
import {
  acrossOrganizations,
  all,
  build,
  first,
  insertRow,
  type Params,
  type Row,
  run,
  type Tx,
} from "../database/sql.ts";

export type Link = Row<"links">;

/** A link by the hash of its token, whatever became of it; null where there is none. */
export const findLink = first((param: Params<{ tokenHash: string }>) =>
  acrossOrganizations.selectFrom("links").selectAll().where("tokenHash", "=", param("tokenHash")),
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

/** Every open link: what a restore brings back may have been used or revoked after the backup. */
export const listOpenLinks = all(() =>
  acrossOrganizations
    .selectFrom("links")
    .selectAll()
    .where("usedAt", "is", null)
    .where("revokedAt", "is", null)
    .orderBy("seq"),
);
