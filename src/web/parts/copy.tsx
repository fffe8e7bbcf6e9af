// A button that copies a text, and says so.
import { useState } from "preact/hooks";
import { pause } from "../clock.ts";
import { COMMON } from "../text/common.ts";
import { Icon } from "./icon.tsx";

const TOLD_MS = 2000;

/** Copies `text`; with `label` the button has words, else the drawing alone. */
export function Copy({ text, label }: { readonly text: string; readonly label?: string }) {
  const [isCopied, setCopied] = useState(false);
  const copy = async () => {
    await navigator.clipboard.writeText(text);
    setCopied(true);
    await pause(TOLD_MS);
    setCopied(false);
  };
  return (
    <button
      type="button"
      class={label ? "button plain" : "icon-button small"}
      aria-label={label ? undefined : COMMON.copy}
      onClick={() => void copy()}
    >
      <Icon name={isCopied ? "check" : "copy"} />
      {label && <span>{isCopied ? COMMON.copied : label}</span>}
      {!label && isCopied && (
        <span class="visually-hidden" role="status">
          {COMMON.copied}
        </span>
      )}
    </button>
  );
}
