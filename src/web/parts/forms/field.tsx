// A field of a form: its label above, a hint below, and what is wrong with it in the hint's place.
import type { ComponentChildren, JSX } from "preact";
import { useId, useState } from "preact/hooks";
import { COMMON } from "../../text/common.ts";
import { Icon } from "../icon.tsx";

/** What every field takes. */
export interface FieldProps {
  readonly label: string;
  /** Names the field for its form: faults with this name stand here. */
  readonly name: string;
  readonly value: string;
  readonly onInput: (value: string) => void;
  /** It was left: rules are told only then. */
  readonly onLeave?: (() => void) | undefined;
  readonly isOptional?: boolean;
  readonly hint?: ComponentChildren;
  /** What is wrong with it, as a sentence. */
  readonly fault?: string | undefined;
}

/** The frame around a control: `control` is given what ties label, hint and fault to it. */
export function Field({
  label,
  isOptional,
  hint,
  fault,
  control,
}: Pick<FieldProps, "label" | "isOptional" | "hint" | "fault"> & {
  readonly control: (tied: {
    readonly id: string;
    readonly "aria-describedby": string | undefined;
    readonly "aria-invalid": boolean;
    readonly required: boolean;
  }) => ComponentChildren;
}) {
  const id = useId();
  const told = `${id}-told`;
  const isTold = Boolean(fault || hint);
  return (
    <div class="field">
      <label for={id}>
        {label} {isOptional && <span class="optional">{COMMON.optional}</span>}
      </label>
      {control({
        id,
        "aria-describedby": isTold ? told : undefined,
        "aria-invalid": Boolean(fault),
        required: !isOptional,
      })}
      {isTold && (
        <div id={told} class={fault ? "fault" : "hint"}>
          {fault && <Icon name="problem" />}
          <span>{fault || hint}</span>
        </div>
      )}
    </div>
  );
}

type InputProps = FieldProps &
  Pick<
    JSX.IntrinsicElements["input"],
    "autoComplete" | "inputMode" | "disabled" | "readOnly" | "maxLength" | "autoFocus"
  > & {
    readonly type?: "text" | "email" | "password" | "search" | "date";
    readonly suffix?: string;
  };

/** A line of text. */
export function TextField({
  label,
  name,
  value,
  onInput,
  onLeave,
  isOptional = false,
  hint,
  fault,
  type = "text",
  suffix,
  ...rest
}: InputProps) {
  return (
    <Field
      {...{ label, isOptional, hint, fault }}
      control={(tied) => (
        <div class={suffix ? "control with-suffix" : "control"}>
          <input
            {...tied}
            {...rest}
            // Its kinds take the same attributes here; their types differ by role.
            type={type as "text"}
            name={name}
            value={value}
            spellcheck={false}
            onInput={(event) => onInput(event.currentTarget.value)}
            onBlur={onLeave}
          />
          {suffix && <span class="suffix">{suffix}</span>}
        </div>
      )}
    />
  );
}

/** A password, which can be shown while it is typed. */
export function PasswordField(props: Omit<InputProps, "type" | "suffix">) {
  const [isShown, setShown] = useState(false);
  return (
    <div class="password">
      <TextField {...props} type={isShown ? "text" : "password"} />
      <label class="check">
        <input type="checkbox" checked={isShown} onChange={() => setShown(!isShown)} />{" "}
        <span>{COMMON.showPassword}</span>
      </label>
    </div>
  );
}
