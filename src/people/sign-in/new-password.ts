// A new password: checked against the policy, then hashed.
import { refuse } from "../../kernel/problem.ts";
import type { Desk } from "../access-route.ts";
import { commonPasswords, type Known, passwordFault } from "./password.ts";

/**
 * The hash of a new password. Throws `422` at `#/password` if the policy refuses it, `429` or `503` if too many wait.
 */
export async function hashNewPassword(
  { hasher }: Desk,
  password: string,
  known: Known & { readonly address: string },
): Promise<string> {
  const fault = passwordFault(password, known, await commonPasswords());
  refuse(fault === null ? [] : [["#/password", fault]]);
  return hasher.hash(password, known.address);
}
