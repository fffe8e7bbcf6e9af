// A page without the frame: signing in, setting up, links.

import type { ComponentChildren } from "preact";
import { ApiProblem } from "../api/problem.ts";
import { COMMON } from "../text/common.ts";
import { Notice } from "./notice.tsx";
import { PageHead } from "./page-head.tsx";
import { wordsOf } from "./states.tsx";

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

/** For what a link's page says where the link does nothing any more. */
export function DeadLink({ title, error }: { readonly title: string; readonly error: unknown }) {
  return (
    <Notice tone="bad" title={title}>
      {error instanceof ApiProblem ? error.detail : wordsOf(error).detail}
    </Notice>
  );
}
