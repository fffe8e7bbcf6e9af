// Helpers of the commands about people: lookup by e-mail address, addresses of links, words of refusals.

import { Problem } from "../../src/kernel/problem.ts";
import type { Config } from "../../src/server/config.ts";
import { reachableUrl } from "../../src/server/http/listen.ts";
import { CommandError, say } from "../command.ts";

/** Where the service is reached, as far as the settings tell. */
export function publicUrlOf(config: Config): string {
  if (config.publicUrl === null) {
    say(
      "the link leads to where the settings say that the service is; CAPTABLE_PUBLIC_URL and CAPTABLE_PORT change that",
    );
  }
  return config.publicUrl ?? reachableUrl(config);
}

/** What a problem says, as a command's failure: exit 3. */
export function explaining<T>(work: () => T): T {
  try {
    return work();
  } catch (thrown) {
    if (!(thrown instanceof Problem)) throw thrown;
    const [error] = thrown.errors ?? [];
    const of = error && "pointer" in error ? `${error.pointer.replace("#/stakeholderIds", "--stakeholder")} ` : "";
    throw new CommandError(error ? `${of}${error.detail}` : thrown.detail, 3);
  }
}

/** The e-mail address that is meant: the argument, or the option. Exit 2 without one. */
export function chosenEmail(named: string | undefined, { email: option }: { readonly email?: string }): string {
  const address = named ?? option;
  if (address === undefined) throw new CommandError("name the user by the e-mail address", 2);
  return address;
}
