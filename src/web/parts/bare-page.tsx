// A page without the frame: signing in, setting up, links.
import type { ComponentChildren } from "preact";
import { COMMON } from "../text/common.ts";
import { PageHead } from "./page-head.tsx";

/** The page's one column. */
export function Bare({ title, children }: { readonly title: string; readonly children: ComponentChildren }) {
  return (
    <div class="bare-page">
      <p class="wordmark">
        <span class="mark square" aria-hidden="true">
          {[...COMMON.product][0]}
        </span>{" "}
        {COMMON.product}
      </p>
      <div class="card">
        <PageHead title={title} />
        {children}
      </div>
    </div>
  );
}
