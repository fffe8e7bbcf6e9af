// Tabs that stand in the address: `?tab=`. Links, so that each can be opened elsewhere and gone back from.
import { Link, useSearchParams } from "wouter-preact";
import type { Choice } from "./segmented.tsx";

/** The tab that the address names, else the first. */
export function useTab<V extends string>(tabs: readonly Choice<V>[]): V | undefined {
  const [params] = useSearchParams();
  const asked = params.get("tab");
  return (tabs.find(({ value }) => value === asked) ?? tabs[0])?.value;
}

/** The row of tabs; `path` is the page's own address. */
export function Tabs<V extends string>({
  label,
  tabs,
  current,
  path,
}: {
  readonly label: string;
  readonly tabs: readonly Choice<V>[];
  readonly current: V | undefined;
  readonly path: string;
}) {
  return (
    <nav class="tabs" aria-label={label}>
      {tabs.map(({ value, label: words }, index) => (
        <Link
          key={value}
          href={index === 0 ? path : `${path}?tab=${value}`}
          aria-current={value === current ? "page" : undefined}
        >
          {words}
        </Link>
      ))}
    </nav>
  );
}
