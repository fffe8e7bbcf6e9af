// Buttons, and links that look like them.
import type { ComponentChildren, JSX } from "preact";
import { Link } from "wouter-preact";

/** How much a button stands out; each page has at most one `primary`. */
export type ButtonKind = "primary" | "plain" | "quiet" | "danger";

interface ButtonProps extends Omit<JSX.IntrinsicElements["button"], "type"> {
  readonly kind?: ButtonKind;
  readonly isBusy?: boolean;
  readonly isSubmit?: boolean;
}

/** A button. While busy it cannot be pressed and keeps its focus. */
export function Button({ kind = "plain", isBusy = false, isSubmit = false, onClick, ...rest }: ButtonProps) {
  return (
    <button
      {...rest}
      type={isSubmit ? "submit" : "button"}
      class={`button ${kind} ${rest.class ?? ""}`}
      aria-busy={isBusy}
      aria-disabled={isBusy || rest["aria-disabled"]}
      onClick={(event) => {
        if (isBusy) event.preventDefault();
        else onClick?.(event);
      }}
    />
  );
}

/** A link to another page that looks like a button. */
export function LinkButton({
  href,
  kind = "plain",
  onClick,
  children,
}: {
  readonly href: string;
  readonly kind?: ButtonKind;
  /** Done before it leads on. */
  readonly onClick?: () => void;
  readonly children: ComponentChildren;
}) {
  return (
    <Link href={href} class={`button ${kind}`} onClick={() => onClick?.()}>
      {children}
    </Link>
  );
}
