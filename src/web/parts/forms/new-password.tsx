// The field of a new password, with the rules checked while it is typed.
import { PASSWORD_RULES } from "../../text/sign-in/joining.ts";
import type { Spec } from "./field-spec.ts";

const LENGTH_MIN = 12;
const LENGTH_MAX = 256;

/** Whether a password is as long as it must be: code points, as the server counts them. */
function isLongEnough(password: string): boolean {
  const { length } = [...password];
  return length >= LENGTH_MIN && length <= LENGTH_MAX;
}

/** The field. */
export const NEW_PASSWORD = {
  name: "password",
  kind: "password",
  autoComplete: "new-password",
  fault: (password) => (isLongEnough(password) ? undefined : `${PASSWORD_RULES.label} ${PASSWORD_RULES.length}.`),
  note: ({ password = "" }) => (
    <span class="rules">
      {PASSWORD_RULES.label} <span class={isLongEnough(password) ? "rule kept" : "rule"}>{PASSWORD_RULES.length}</span>
      {", "}
      <span class="rule">{PASSWORD_RULES.words}</span>
    </span>
  ),
} as const satisfies Spec;
