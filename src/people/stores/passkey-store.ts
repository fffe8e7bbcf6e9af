// Store of passkeys: SQL. Nothing stored of one is secret: the public key verifies its answers.
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
  value,
} from "../../storage/database/sql.ts";

export type Passkey = Row<"passkeys">;

/** The passkey that a browser names, of any account; null if there is no such passkey. */
export const findPasskeyByCredential = first((param: Params<{ credentialId: string }>) =>
  acrossOrganizations.selectFrom("passkeys").selectAll().where("credentialId", "=", param("credentialId")),
);

/** A passkey, or null. */
export const findPasskey = first((param: Params<{ id: string }>) =>
  acrossOrganizations.selectFrom("passkeys").selectAll().where("id", "=", param("id")),
);

/** An account's passkeys, oldest first. */
export const listPasskeys = all((param: Params<{ accountId: string }>) =>
  acrossOrganizations.selectFrom("passkeys").selectAll().where("accountId", "=", param("accountId")).orderBy("seq"),
);

/** How many passkeys an account has. */
export const countPasskeys = value((param: Params<{ accountId: string }>) =>
  acrossOrganizations
    .selectFrom("passkeys")
    .select((rows) => rows.fn.countAll<number>().as("count"))
    .where("accountId", "=", param("accountId")),
);

/** Stores a new passkey. */
export function insertPasskey(tx: Tx, row: Omit<Passkey, "seq" | "lastUsedAt">): void {
  insertRow(tx, "passkeys", row);
}

/** Records a use: the authenticator's counter, and when. */
export const setPasskeyUsed = run((param: Params<{ id: string; counter: number; lastUsedAt: string }>) =>
  build
    .updateTable("passkeys")
    .set({ counter: param("counter"), lastUsedAt: param("lastUsedAt") })
    .where("id", "=", param("id")),
);

/** Removes a passkey. */
export const deletePasskey = run((param: Params<{ id: string }>) =>
  build.deleteFrom("passkeys").where("id", "=", param("id")),
);
