// The head of a page, and the parts that it is divided into.
import type { ComponentChildren } from "preact";
import { useEffect, useId } from "preact/hooks";
import { COMMON } from "../text/common.ts";

/** A page's title with what can be done there; sets the window's title, too. */
export function PageHead({
  title,
  of,
  children,
  meta,
}: {
  readonly title: string;
  /** Whose page it is: the organization. */
  readonly of?: string | undefined;
  /** Buttons. */
  readonly children?: ComponentChildren;
  /** What stands beside the title: badges. */
  readonly meta?: ComponentChildren;
}) {
  useEffect(() => {
    document.title = [title, of ?? COMMON.product].join(" · ");
  }, [title, of]);
  return (
    <header class="page-head">
      <div class="page-title">
        <h1 tabIndex={-1}>{title}</h1>
        {meta}
      </div>
      {children && <div class="row actions">{children}</div>}
    </header>
  );
}

/** A part of a page with a heading, on a ground of its own. */
export function Card({
  title,
  note,
  actions,
  children,
  class: more = "",
}: {
  readonly title?: string;
  /** Beside the heading, dimmed. */
  readonly note?: ComponentChildren;
  readonly actions?: ComponentChildren;
  readonly children: ComponentChildren;
  readonly class?: string;
}) {
  const id = useId();
  return (
    <section class={`card ${more}`} aria-labelledby={title ? id : undefined}>
      {(title || actions) && (
        <header class="card-head">
          <h2 id={id}>{title}</h2>
          {note && <div class="note">{note}</div>}
          {actions && <div class="row">{actions}</div>}
        </header>
      )}
      {children}
    </section>
  );
}

/** Names and values in two columns. */
export function Facts({ facts }: { readonly facts: readonly (readonly [name: string, value: ComponentChildren])[] }) {
  return (
    <dl class="facts">
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
