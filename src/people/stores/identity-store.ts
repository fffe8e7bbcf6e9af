// Store of identities, SQL: which account a person of an OpenID Connect provider has here.
import { insertRow } from "../../storage/database/row-writes.ts";
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

export type Identity = Row<"identities">;

/** The account of a provider's identity; null if no account has it. */
export const findIdentityBySubject = first((param: Params<{ issuer: string; subject: string }>) =>
  acrossOrganizations
    .selectFrom("identities")
    .selectAll()
    .where("issuer", "=", param("issuer"))
    .where("subject", "=", param("subject")),
);

/** An identity, or null. */
export const findIdentity = first((param: Params<{ id: string }>) =>
  acrossOrganizations.selectFrom("identities").selectAll().where("id", "=", param("id")),
);

/** An account's identities, oldest first. */
export const listIdentities = all((param: Params<{ accountId: string }>) =>
  acrossOrganizations.selectFrom("identities").selectAll().where("accountId", "=", param("accountId")).orderBy("seq"),
);

/** Stores a new identity. */
export function insertIdentity(tx: Tx, row: Omit<Identity, "seq">): void {
  insertRow(tx, "identities", row);
}

/** Removes an identity. */
export const deleteIdentity = run((param: Params<{ id: string }>) =>
  build.deleteFrom("identities").where("id", "=", param("id")),
);

/** Removes all identities of an account. */
export const deleteIdentitiesOf = run((param: Params<{ accountId: string }>) =>
  build.deleteFrom("identities").where("accountId", "=", param("accountId")),
);
