// The SQL condition for a second factor, shared by the list of members, the search for administrators without one, and
// the check that keeps a person from locking themselves out.
import { sql } from "kysely";

/** Whether an account, in the table of that name, has one-time codes or a passkey. */
export const HAS_SECOND_FACTOR = sql<boolean>`(accounts."totpSecret" is not null
  or exists (select 1 from passkeys where passkeys."accountId" = accounts.id))`;
