// A new password, with the rules told while it is typed.
import { PASSWORD_RULES, SIGN_IN } from "../../text/sign-in.ts";
import { PasswordField } from "./field.tsx";
import type { Form } from "./use-form.ts";

const LENGTH_MIN = 12;
const LENGTH_MAX = 256;

/** Whether a password is as long as it must be: code points, as the server counts them. */
export function isLongEnough(password: string): boolean {
  const { length } = [...password];
  return length >= LENGTH_MIN && length <= LENGTH_MAX;
}

/** The field of a form that has `password` among its values. */
export function NewPassword<V extends { readonly password: string }>({
  form,
  label = SIGN_IN.password,
}: {
  readonly form: Form<V>;
  readonly label?: string;
}) {
  const { password } = form.values;
  return (
    <PasswordField
      label={label}
      {...form.field("password")}
      autoComplete="new-password"
      hint={
        <span class="rules">
          {PASSWORD_RULES.label}{" "}
          <span class={isLongEnough(password) ? "rule kept" : "rule"}>{PASSWORD_RULES.length}</span>
          {", "}
          <span class="rule">{PASSWORD_RULES.words}</span>
        </span>
      }
    />
  );
}
