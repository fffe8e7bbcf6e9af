// The progress bar of long work: one line that is overwritten, on a terminal only.
import { printable } from "../src/kernel/text/text.ts";

const PERCENT = 100;
const BAR_WIDTH = 30;

/** Shows a stage of the work on standard error, with how much of it is done (0 to 1) where that is known. */
export type Progress = (stage: string, done: number | null) => void;

/** A line on the terminal, if standard error is one; `clear` takes it away again. */
export function startProgress(): { readonly show: Progress; readonly clear: () => void } {
  if (!process.stderr.isTTY) return { show: () => undefined, clear: () => undefined };
  let shown = "";
  return {
    show(stage, done) {
      const text = done === null ? `${stage} …` : `${stage} ${Math.floor(done * PERCENT)} %`;
      if (text === shown) return;
      shown = text;
      process.stderr.write(`\r\u001b[K${printable(text)}`);
    },
    clear() {
      if (shown !== "") process.stderr.write("\r\u001b[K");
    },
  };
}

/** Shows on a terminal how many of the objects are done. */
export class ProgressBar {
  #percent = -1;
  readonly #isShown = process.stderr.isTTY === true;

  readonly show = (done: number, total: number): void => {
    const percent = total === 0 ? 100 : Math.floor((done * 100) / total);
    if (!this.#isShown || percent === this.#percent) return;
    this.#percent = percent;
    const filled = Math.round((percent * BAR_WIDTH) / 100);
    process.stderr.write(`\r${"█".repeat(filled)}${"░".repeat(BAR_WIDTH - filled)} ${percent} % of ${total} objects`);
  };

  clear(): void {
    if (this.#percent >= 0) process.stderr.write("\r\u001b[K");
  }
}
