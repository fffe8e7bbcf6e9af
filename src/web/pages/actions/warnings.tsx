// Warnings of a dry run, which do not block recording.
import { sentence } from "../../parts/forms/words.ts";
import { Notice } from "../../parts/notice.tsx";
import { PREVIEW } from "../../text/actions/preview.ts";
import type { Warning } from "./spec.ts";

/** The warnings; nothing where there are none. */
export function Warnings({ warnings }: { readonly warnings: readonly Warning[] }) {
  if (warnings.length === 0) return null;
  return (
    <Notice tone="warn" title={PREVIEW.warnings}>
      {warnings.map(({ detail }) => (
        <p key={detail}>{sentence(detail)}</p>
      ))}
    </Notice>
  );
}
