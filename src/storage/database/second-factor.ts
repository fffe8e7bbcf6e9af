// Who has a second factor, as a condition of SQL: those who list members, look for administrators without one, or keep
// somebody from shutting himself out mean the same.
import { sql } from "kysely";

/** Whether an account, of the table by its own name, has one-time codes or a passkey. */
export const HAS_SECOND_FACTOR = sql<boolean>`(accounts."totpSecret" is not null
  or exists (select 1 from passkeys where passkeys."accountId" = accounts.id))`;
