// Refused proofs of identity, such as a wrong password: logged for the account.
import type { FailureReason } from "../storage/database/log/account-events.ts";
import { storeSetting } from "../storage/database/settings.ts";
import { command } from "./command.ts";
import { reportEvent } from "./stores/log-store.ts";

/** A refused proof; an `accountId` of null stands for an e-mail address that has no account. */
interface Failure {
  readonly accountId: string | null;
  readonly event: "sign-in-failed" | "second-factor-failed" | "confirmation-failed";
  readonly reason: FailureReason;
  readonly sessionId: string | null;
}

/** Logs a refused proof, such as a wrong password. */
export const reportFailure = command(
  "reportFailure",
  (tx, call, { accountId, event, reason, sessionId }: Failure): void => {
    if (accountId !== null) reportEvent(tx, call, { accountId, event, data: { reason }, sessionId });
    // The write takes as long for an address without an account: time must not reveal which addresses have one.
    else storeSetting(tx, "lastFailedSignIn", call.at);
  },
);
