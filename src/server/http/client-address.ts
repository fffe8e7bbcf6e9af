// Client addresses: the peer of the connection, or the client that a trusted proxy names. Rate limits and the log of
// accounts use them.
import { isIP } from "node:net";
import { type AddressRange, isWithin, LOOPBACK_RANGES, PRIVATE_RANGES } from "../../kernel/text/network-address.ts";

const HEADER = "x-forwarded-for";

/** What client addresses depend on. */
export interface ClientAddressParts {
  /** The trusted proxies. */
  readonly trusted: readonly AddressRange[];
  readonly publicUrl: () => string;
  /** Called once, with a sentence, if the header of a proxy is ignored that looks like this service's own. */
  readonly onUnread: (sentence: string) => void;
}

/** Finds the client's address of a request. */
export class ClientAddresses {
  readonly #parts: ClientAddressParts;
  #hasWarned = false;

  constructor(parts: ClientAddressParts) {
    this.#parts = parts;
  }

  /** The client's address; `peer` is connected, undefined if that is no longer known. */
  of({ headers }: Request, peer: string | undefined): string {
    if (peer === undefined) return "unknown";
    const sent = headers.get(HEADER);
    if (sent === null) return peer;
    return isWithin(peer, this.#parts.trusted) ? (lastOf(sent) ?? peer) : peer;
  }

  /**
   * Warns once of a proxy that is not trusted: it makes one client of all of its clients, and the failed sign-ins of
   * one of them lock all of them out.
   */
  notice({ headers }: Request, peerOf: () => string | undefined): void {
    const { publicUrl, onUnread, trusted } = this.#parts;
    if (this.#hasWarned || !headers.has(HEADER) || !publicUrl().startsWith("https:")) return;
    const peer = peerOf();
    if (peer === undefined || isWithin(peer, trusted)) return;
    const isLocal = isWithin(peer, LOOPBACK_RANGES);
    if (!isLocal && !isWithin(peer, PRIVATE_RANGES)) return;
    this.#hasWarned = true;
    const value = isLocal ? "loopback" : rangeOf(peer);
    onUnread(
      `a proxy at ${peer} sends X-Forwarded-For, which is not read: limits count all of its clients as one; ` +
        `set CAPTABLE_TRUSTED_PROXY=${value} if it is yours`,
    );
  }
}

/** The range with this address alone. */
function rangeOf(peer: string): string {
  const bare = peer.replace(/^::ffff:/i, "").replace(/%.*$/, "");
  return `${bare}/${isIP(bare) === 4 ? 32 : 128}`;
}

/** The last entry, which the proxy itself wrote, without a port; null if it is not an address. */
function lastOf(header: string): string | null {
  const entry = header.split(",").at(-1)?.trim() ?? "";
  const bare = /^\[([^\]]+)\](?::\d+)?$/.exec(entry)?.[1] ?? /^([\d.]+):\d+$/.exec(entry)?.[1] ?? entry;
  return isIP(bare) > 0 ? bare : null;
}
