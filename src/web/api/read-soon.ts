// When what is shown is read again, after something happened: a moment later, and not all the time.
import { nowMs } from "../clock.ts";
import { readAgain } from "./remembered.ts";

const AFTER_MS = 300;
const EVERY_MS = 2000;

let timer: ReturnType<typeof setTimeout> | undefined;
/** When it was last read to the end, and what happened first since; null for nothing. */
let endedMs = 0;
let firstMs: number | null = null;
let isReading = false;

/** Reads again 300 ms after the last call, 2 s after the first of many, and never sooner than 2 s after the last time. */
export function readSoon(): void {
  const now = nowMs();
  firstMs ??= now;
  if (isReading) return;
  clearTimeout(timer);
  const due = Math.max(endedMs + EVERY_MS, Math.min(now + AFTER_MS, firstMs + EVERY_MS));
  timer = setTimeout(() => void readNow(), due - now);
}

async function readNow(): Promise<void> {
  firstMs = null;
  isReading = true;
  await readAgain();
  isReading = false;
  endedMs = nowMs();
  if (firstMs !== null) readSoon();
}
