// For `bun run dev` alone: reloads the page when its sources have changed, or the server was started again.
import { pause } from "./clock.ts";

const AGAIN_MS = 300;

/** Waits for changes as long as the page is open. */
export async function reloadOnChange(): Promise<void> {
  for (;;) {
    const answer = await fetch("/assets/dev-changes").catch(() => null);
    if (answer === null) await serverIsBack();
    if (answer === null || (await answer.text()) === "changed") return location.reload();
  }
}

async function serverIsBack(): Promise<void> {
  while ((await fetch("/healthz").catch(() => null)) === null) await pause(AGAIN_MS);
}
