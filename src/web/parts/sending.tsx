// Upload progress of a file, with a button that stops it.
import { useRef, useState } from "preact/hooks";
import { isAbort } from "../api/problem.ts";
import type { Sending } from "../api/upload.ts";
import { bytesText } from "../locale.ts";
import { COMMON } from "../text/common.ts";

/** Follows what is sent, one file after the other. */
export function useSending() {
  const [sent, onSent] = useState(0);
  const controller = useRef<AbortController | null>(null);
  const sending = (): Sending => {
    controller.current = new AbortController();
    return { onSent, signal: controller.current.signal };
  };
  return { sent, sending, stop: () => controller.current?.abort() };
}

/** Rethrows an error, unless the user stopped the upload. */
export function unlessStopped(thrown: unknown): null {
  if (isAbort(thrown)) return null;
  throw thrown;
}

/** A bar, and the same in words. */
export function SendingBar({ file: { name, size }, sent }: { readonly file: File; readonly sent: number }) {
  return (
    <>
      <span class="note">{COMMON.of(bytesText(sent), bytesText(size))}</span>
      <progress class="progress" aria-label={COMMON.sending(name)} value={sent} max={size} />
    </>
  );
}
