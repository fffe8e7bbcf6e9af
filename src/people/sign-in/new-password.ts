// A new password: held against what it may be, then hashed.
import { refuse } from "../../kernel/problem.ts";
import type { Desk } from "../access-route.ts";
import { commonPasswords, type Known, passwordFault } from "./password.ts";

/** The hash of a new password. Throws `422` at `#/password` where it may not be one, `429` or `503` where too many wait. */
export async function hashNewPassword(
  { hasher }: Desk,
  password: string,
  known: Known & { readonly address: string },
): Promise<string> {
  const fault = passwordFault(password, known, await commonPasswords());
  refuse(fault === null ? [] : [["#/password", fault]]);
  return hasher.hash(password, known.address);
}
