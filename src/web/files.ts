// What the server serves of the pages. In a checkout they are built in memory when they are first asked for, and with
// `bun run dev` again after each change; the executable has a module in place of this one that reads finished files
// (.ci/build.ts).
import { watch } from "node:fs";
import { contentTypeOf, type WebFiles } from "./asset.ts";
import { buildPages } from "./build.ts";

/** Defined by `bun run dev` alone. */
declare const WATCHES_PAGES: boolean;
const isWatching = typeof WATCHES_PAGES !== "undefined";
/** Shorter than the server lets a connection be silent. */
const POLL_MS = 20_000;
/** An editor writes several files, or one in several steps. */
const SETTLE_MS = 30;

let built: Promise<WebFiles> | null = null;

/** The pages. Rejects where they do not build. */
export function webFiles(): Promise<WebFiles> {
  built ??= build();
  return built;
}

async function build(): Promise<WebFiles> {
  const { html, files } = await buildPages({ isDev: isWatching });
  const assets = files.map(({ name, bytes, isGzipped }) => {
    const asset = { name, contentType: contentTypeOf(name), isGzipped, bytes: () => Promise.resolve(bytes) };
    return [name, asset] as const;
  });
  return { html, assets: new Map(assets) };
}

/** Waits for a change of the sources; true if one came in time. Null unless `bun run dev` watches them. */
export const nextChange: (() => Promise<boolean>) | null = isWatching ? watchSources() : null;

function watchSources(): () => Promise<boolean> {
  const waiting = new Set<(isChanged: boolean) => void>();
  let settling: Timer | undefined;
  const tell = () => {
    built = null;
    for (const answer of waiting) answer(true);
  };
  watch(import.meta.dir, { recursive: true }, () => {
    clearTimeout(settling);
    settling = setTimeout(tell, SETTLE_MS);
  }).unref();
  return () => {
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const patience = setTimeout(() => resolve(false), POLL_MS);
    waiting.add(resolve);
    return promise.finally(() => {
      clearTimeout(patience);
      waiting.delete(resolve);
    });
  };
}
