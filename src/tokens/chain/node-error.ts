// Classifies a node's JSON-RPC errors. Nodes agree on few codes, so their wording decides: that of anvil, geth, Besu,
// Nethermind and the hosted ones. Unknown wording counts as a temporary failure. Pure.
import { ChainError, type ChainErrorCode, type Hex } from "./port.ts";
import { revertError } from "./token/revert.ts";

/** The `error` member of a JSON-RPC answer. */
export interface NodeError {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
}

/** The first matching words decide, in this order. Both sides are compared in lower case. */
const MEANINGS: readonly { code: ChainErrorCode; reason: string; words: readonly string[] }[] = [
  {
    code: "nonce-too-low",
    reason: "the transaction's nonce is spent",
    words: ["nonce too low", "nonce has already been used", "oldnonce"],
  },
  { code: "nonce-too-high", reason: "an earlier transaction has not arrived yet", words: ["nonce too high"] },
  {
    code: "underpriced",
    reason: "the chain asks for a higher fee",
    words: ["underpriced", "max fee per gas less than", "feetoolow", "replacementnotallowed", "gas price below"],
  },
  {
    code: "insufficient-funds",
    reason: "the operator's account cannot pay for gas",
    words: ["insufficient funds", "insufficientfunds", "upfront cost exceeds"],
  },
  {
    code: "wrong-chain",
    reason: "the node belongs to another chain",
    words: ["invalid chain id", "chain id mismatch", "wrong chain", "wrongchainid"],
  },
  {
    code: "rejected",
    reason: "the node does not take the transaction",
    words: [
      ...[
        "intrinsic gas too low",
        "block gas limit",
        "gas limit exceeded",
        "gas limit too high",
        "gas required exceeds",
      ],
      ...["out of gas", "oversized", "size exceed", "max initcode", "rlp:", "typed transaction"],
      ...["invalid transaction", "invalid sender"],
    ],
  },
  {
    code: "state-unavailable",
    reason: "the node does not have the state of that block",
    words: [
      ...["header not found", "block not found", "unknown block", "missing trie node", "state is not available"],
      ...["state not available", "state has moved", "pruned", "blockoutofrange"],
    ],
  },
  {
    code: "rate-limited",
    reason: "the node asks for fewer requests",
    words: ["rate limit", "request limit", "too many requests", "limit exceeded"],
  },
  {
    code: "access-refused",
    reason: "the node refuses access",
    words: ["unauthorized", "unauthorised", "forbidden", "api key", "project id"],
  },
];
const CODES: Readonly<Record<number, ChainErrorCode>> = {
  [-32601]: "not-a-node",
  [-32005]: "rate-limited",
  429: "rate-limited",
};

/** Whether a node's error only reports that it has the transaction already. */
export function isKnownTransaction({ message }: NodeError): boolean {
  return /already known|already imported|\bknown transaction|AlreadyKnown/i.test(message);
}

/** The failure for a node's error. `secrets` must never appear in the reason: see {@link quote}. */
export function nodeError(error: NodeError, secrets: readonly string[] = []): ChainError {
  const revert = revertData(error);
  if (revert !== undefined) return revertError(revert);
  const said = quote(error.message, secrets);
  const message = error.message.toLowerCase();
  const meaning = MEANINGS.find(({ words }) => words.some((each) => message.includes(each)));
  if (meaning) return new ChainError(meaning.code, `${meaning.reason} (${said})`);
  return new ChainError(CODES[error.code] ?? "node-failing", `the node answered with an error (${said})`);
}

/** A node's text, made safe to show: without secrets, host addresses and payloads, on one line, and short. */
export function quote(words: string, secrets: readonly string[]): string {
  let text = words;
  for (const secret of secrets) text = text.replaceAll(secret, "…");
  return text
    .replace(/[a-z][a-z0-9+.-]*:\/\/\S+/gi, "…")
    .replace(/0x[0-9a-f]{41,}/gi, "0x…")
    .replace(/[0-9a-z+/_=-]{65,}/gi, "…")
    .replace(/[^\x21-\x7e…]+/g, " ")
    .trim()
    .slice(0, 160);
}

/** A revert's data; null if the node gives no data, undefined if the error is not a revert. */
function revertData({ code, message, data }: NodeError): Hex | null | undefined {
  const found = hexIn(data) ?? hexIn(typeof data === "object" && data !== null && "data" in data ? data.data : null);
  const isRevert = code === 3 || /\brevert(ed)?\b|VM execution error/i.test(message);
  return isRevert ? (found ?? null) : undefined;
}

function hexIn(data: unknown): Hex | null {
  const match = typeof data === "string" ? /0x[0-9a-f]*$/i.exec(data) : null;
  return match ? (match[0].toLowerCase() as Hex) : null;
}
