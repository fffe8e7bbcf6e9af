// Store of accounts and their credentials: SQL.

import { foldEmail } from "../../kernel/text/email.ts";
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
  value,
} from "../../storage/database/sql.ts";
import type { AccountsTable } from "../../storage/database/tables/people-schema.ts";

export type Account = Row<"accounts">;

/** Whether there is any account. */
export const hasAccounts = exists(() => acrossOrganizations.selectFrom("accounts").select("seq").limit(1));

/** Every account, oldest first. */
export const listAccounts = all(() => acrossOrganizations.selectFrom("accounts").selectAll().orderBy("seq"));

/** One account, or null. */
export const findAccount = first((param: Params<{ id: string }>) =>
  acrossOrganizations.selectFrom("accounts").selectAll().where("id", "=", param("id")),
);

/** The account with a folded e-mail address, or null. */
export const findAccountByEmail = first((param: Params<{ emailFolded: string }>) =>
  acrossOrganizations.selectFrom("accounts").selectAll().where("emailFolded", "=", param("emailFolded")),
);

type NewAccount = Pick<Account, "id" | "createdAt" | "email" | "name" | "passwordHash" | "isOperator" | "salt">;

/** Stores a new account. */
export function insertAccount(tx: Tx, account: NewAccount): void {
  insertRow(tx, "accounts", { ...account, emailFolded: foldEmail(account.email) });
}

type Change<C extends keyof AccountsTable & keyof Account> = { readonly id: string } & Pick<Account, C>;

/** Sets the password. */
export const setPasswordHash = run((param: Params<Change<"passwordHash">>) =>
  build
    .updateTable("accounts")
    .set({ passwordHash: param("passwordHash") })
    .where("id", "=", param("id")),
);

/** Sets the name. */
export const setName = run((param: Params<Change<"name">>) =>
  build
    .updateTable("accounts")
    .set({ name: param("name") })
    .where("id", "=", param("id")),
);

/** Sets the e-mail address; no other is pending any more. */
export const setEmail = run((param: Params<Change<"email" | "emailFolded">>) =>
  build
    .updateTable("accounts")
    .set({ email: param("email"), emailFolded: param("emailFolded"), pendingEmail: null, pendingEmailAt: null })
    .where("id", "=", param("id")),
);

/** Sets or clears a person's pending e-mail address. */
export const setPendingEmail = run((param: Params<Change<"pendingEmail" | "pendingEmailAt">>) =>
  build
    .updateTable("accounts")
    .set({ pendingEmail: param("pendingEmail"), pendingEmailAt: param("pendingEmailAt") })
    .where("id", "=", param("id")),
);

/** Sets, or removes, the sealed secret of one-time codes, and the last step that was used. */
export const setTotp = run((param: Params<Change<"totpSecret" | "totpLastStep">>) =>
  build
    .updateTable("accounts")
    .set({ totpSecret: param("totpSecret"), totpLastStep: param("totpLastStep") })
    .where("id", "=", param("id")),
);

/** Records when an account last signed in. */
export const setLastSignIn = run((param: Params<Change<"lastSignInAt">>) =>
  build
    .updateTable("accounts")
    .set({ lastSignInAt: param("lastSignInAt") })
    .where("id", "=", param("id")),
);

/** Makes an account an operator of the instance. */
export const setOperator = run((param: Params<{ id: string }>) =>
  build.updateTable("accounts").set({ isOperator: 1 }).where("id", "=", param("id")),
);

/** Suspends an account, or lifts the suspension (null). */
export const setSuspended = run((param: Params<Change<"suspendedAt">>) =>
  build
    .updateTable("accounts")
    .set({ suspendedAt: param("suspendedAt") })
    .where("id", "=", param("id")),
);

/** How many recovery codes of an account are left. */
export const countRecoveryCodes = value((param: Params<{ accountId: string }>) =>
  acrossOrganizations
    .selectFrom("recovery_codes")
    .select((codes) => codes.fn.countAll<number>().as("count"))
    .where("accountId", "=", param("accountId"))
    .where("usedAt", "is", null),
);

/** Whether an account has this recovery code, unused. */
export const hasRecoveryCode = exists((param: Params<{ accountId: string; codeHash: string }>) =>
  acrossOrganizations
    .selectFrom("recovery_codes")
    .select("seq")
    .where("accountId", "=", param("accountId"))
    .where("codeHash", "=", param("codeHash"))
    .where("usedAt", "is", null),
);

/** Marks an unused recovery code as used; returns whether there was one. */
export const useRecoveryCode = run((param: Params<{ accountId: string; codeHash: string; usedAt: string }>) =>
  build
    .updateTable("recovery_codes")
    .set({ usedAt: param("usedAt") })
    .where("accountId", "=", param("accountId"))
    .where("codeHash", "=", param("codeHash"))
    .where("usedAt", "is", null),
);

/** Removes an account's recovery codes. */
export const deleteRecoveryCodes = run((param: Params<{ accountId: string }>) =>
  build.deleteFrom("recovery_codes").where("accountId", "=", param("accountId")),
);

/** Whether an account has a passkey. */
export const hasPasskey = exists((param: Params<{ accountId: string }>) =>
  acrossOrganizations.selectFrom("passkeys").select("seq").where("accountId", "=", param("accountId")),
);

/** Removes an account's passkeys. */
export const deletePasskeys = run((param: Params<{ accountId: string }>) =>
  build.deleteFrom("passkeys").where("accountId", "=", param("accountId")),
);

/** The operators who can sign in, oldest first. */
export const listOperators = all(() =>
  acrossOrganizations
    .selectFrom("accounts")
    .select(["id", "email"])
    .where("isOperator", "=", 1)
    .where("suspendedAt", "is", null)
    .orderBy("seq"),
);
