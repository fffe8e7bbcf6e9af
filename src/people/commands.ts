// The table of commands by name, in which the writer finds them.
import type { AnyCommand } from "./command.ts";
import { reportFailure } from "./failed-proofs.ts";
import { changeAccount, changePassword } from "./routes/account.ts";
import { confirm } from "./routes/confirm.ts";
import { acceptByIdentity, confirmByIdentity, linkIdentity, signInByIdentity } from "./routes/from-provider.ts";
import { removeIdentity } from "./routes/identities.ts";
import { acceptEmailByOperator, resetByOperator } from "./routes/instance.ts";
import { chooseMails } from "./routes/notifications.ts";
import { addTotp, makeRecoveryCodes, removeTotp } from "./routes/one-time-codes.ts";
import { acceptInvitation, askRecovery, confirmEmail, resetPassword } from "./routes/opened-links.ts";
import { makeOrganization } from "./routes/organizations.ts";
import { endCalendar, makeCalendar } from "./routes/own-calendars.ts";
import { addPasskey, confirmByPasskey, removePasskey, signInByPasskey } from "./routes/own-passkeys.ts";
import { endOther, endOthers, signOut } from "./routes/own-sessions.ts";
import { setUp } from "./routes/setup.ts";
import { signIn } from "./routes/sign-in.ts";

const ALL = [
  setUp,
  signIn,
  signOut,
  reportFailure,
  confirm,
  endOther,
  endOthers,
  changeAccount,
  changePassword,
  addTotp,
  removeTotp,
  makeRecoveryCodes,
  signInByPasskey,
  confirmByPasskey,
  addPasskey,
  removePasskey,
  signInByIdentity,
  acceptByIdentity,
  linkIdentity,
  confirmByIdentity,
  removeIdentity,
  acceptInvitation,
  resetPassword,
  makeOrganization,
  resetByOperator,
  acceptEmailByOperator,
  makeCalendar,
  endCalendar,
  confirmEmail,
  askRecovery,
  chooseMails,
] as const;

/** Every command by its name. */
export const COMMANDS = byName(ALL);

function byName(commands: readonly AnyCommand[]): Readonly<Record<string, AnyCommand>> {
  const found: Record<string, AnyCommand> = {};
  for (const each of commands) {
    if (each.commandName in found) throw new Error(`two commands are called ${each.commandName}`);
    found[each.commandName] = each;
  }
  return found;
}
