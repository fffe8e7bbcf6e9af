// The listening address: opens the port, and words the error if it cannot.
import { type Config, wrongSetting } from "../config.ts";

type Place = Pick<Config, "host" | "port">;

/** Runs `listen`; throws in words the reason why the service cannot listen at this place. */
export function listening<T>({ host, port }: Place, listen: (at: { hostname: string; port: number }) => T): T {
  try {
    return listen({ hostname: host, port });
  } catch (failure) {
    const reason = failure instanceof Error ? failure.message : String(failure);
    if (/ENOTFOUND|ENOENT|EADDRNOTAVAIL|EAI_/.test(reason)) {
      throw wrongSetting("host", host, "a name or address of this machine");
    }
    throw new Error(`cannot listen on ${host} port ${port}: ${reason}`);
  }
}

/** The URL of a place, without a path. */
export function urlOf({ host, port }: Place): string {
  return `http://${host.includes(":") ? `[${host}]` : host}:${port}`;
}

/**
 * The same for clients of this machine: a server that listens on every address (`0.0.0.0`, `::`) has a loopback one,
 * too.
 */
export function reachableUrl({ host, port }: Place): string {
  const url = urlOf({ host, port });
  // A URL normalizes all ways to write such an address.
  const name = URL.canParse(url) ? new URL(url).hostname : host;
  if (name === "[::]") return urlOf({ host: "::1", port });
  return name === "0.0.0.0" || name === "[::ffff:0:0]" ? urlOf({ host: "127.0.0.1", port }) : url;
}

/** Listens for a moment, so that a first start that cannot listen writes nothing. */
export async function tryListening(place: Place): Promise<void> {
  const server = listening(place, (at) => Bun.serve({ ...at, fetch: () => new Response() }));
  await server.stop(true);
}
