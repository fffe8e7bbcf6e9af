// What long work shows while it goes on: one line that is written over, on a terminal only.
const PERCENT = 100;

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
      process.stderr.write(`\r\u001b[K${text}`);
    },
    clear() {
      if (shown !== "") process.stderr.write("\r\u001b[K");
    },
  };
}
