// What the commands about people share: whom they mean, where links lead, and refusals in words.
import type { Config } from "../src/config.ts";
import { reachableUrl } from "../src/http/listen.ts";
import { Problem } from "../src/kernel/problem.ts";
import { CommandError } from "./command.ts";

/** Where the service is reached, as far as the settings tell. */
export function publicUrlOf(config: Config): string {
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
  if (address === undefined) throw new CommandError("name somebody by the e-mail address", 2);
  return address;
}
