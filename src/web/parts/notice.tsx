// Notices in a page, and badges that mark a state.
import type { ComponentChildren } from "preact";
import { Icon } from "./icon.tsx";

/** How bad it is. */
export type Tone = "info" | "warn" | "bad" | "good";
const ICONS = { info: "info", warn: "warn", bad: "problem", good: "check" } as const;

/** A notice. Of tone `bad` it is read aloud when it appears. */
export function Notice({
  tone = "info",
  title,
  children,
  actions,
}: {
  readonly tone?: Tone;
  readonly title?: string;
  readonly children?: ComponentChildren;
  readonly actions?: ComponentChildren;
}) {
  return (
    <div class={`notice ${tone}`} role={tone === "bad" ? "alert" : undefined}>
      <Icon name={ICONS[tone]} />
      <div class="notice-body">
        {title && <p class="notice-title">{title}</p>}
        {children && <div>{children}</div>}
        {actions && <div class="row">{actions}</div>}
      </div>
    </div>
  );
}

/** A badge: one or two words in a frame. */
export function Badge({
  tone = "info",
  children,
}: {
  readonly tone?: Tone | "plain";
  readonly children: ComponentChildren;
}) {
  return <span class={`badge ${tone}`}>{children}</span>;
}
