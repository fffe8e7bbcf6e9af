// The frame of a form: what is wrong on top, the fields, and the bar with the button that says what happens.
import type { ComponentChildren } from "preact";
import { COMMON, ERRORS } from "../../text/common.ts";
import { Button, type ButtonKind } from "../button.tsx";
import { Notice } from "../notice.tsx";
import { Failure } from "../states.tsx";
import type { Form as FormState } from "./use-form.ts";

interface FormProps<V extends object> {
  readonly form: FormState<V>;
  /** What the button says. */
  readonly submit: string;
  readonly kind?: ButtonKind;
  readonly children: ComponentChildren;
  /** Beside the button: another button, or what the write means. */
  readonly beside?: ComponentChildren;
  readonly label?: string;
}

/** A form. */
export function Form<V extends object>({ form, submit, kind = "primary", children, beside, label }: FormProps<V>) {
  return (
    <form class="form" noValidate aria-label={label} onSubmit={form.submit}>
      {form.isLost && (
        <Notice tone="warn" title={COMMON.notSent}>
          {COMMON.onceOnly}
        </Notice>
      )}
      {form.isRestored && !form.isLost && (
        <Notice actions={<Button onClick={form.discard}>{COMMON.beginAnew}</Button>}>{COMMON.restored}</Notice>
      )}
      {form.above}
      {!form.isLost && !form.isDeleted && form.problem && <Trouble {...form.problem} />}
      {form.faultCount > 1 && !form.isDeleted && (
        <p class="fault-count" role="alert">
          {COMMON.faults(form.faultCount)}
        </p>
      )}
      <fieldset class="plain-set" disabled={form.isLost}>
        {children}
      </fieldset>
      {!form.isDeleted && (
        <div class="submit-bar">
          <Button kind={kind} isSubmit isBusy={form.isBusy}>
            {form.isLost ? COMMON.sendAgain : submit}
          </Button>
          {beside}
        </div>
      )}
    </form>
  );
}

function Trouble({ words, error }: { readonly words: string; readonly error: unknown }) {
  const isServer = error instanceof Error && "status" in error && error.status === 500;
  if (isServer) return <Failure error={error} />;
  return (
    <Notice tone="bad" title={ERRORS.failed}>
      {words}
    </Notice>
  );
}
