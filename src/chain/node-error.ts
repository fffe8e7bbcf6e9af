// What a node's JSON-RPC error means. Nodes agree on few codes, so their words decide; each word here was seen from a
// node (anvil, geth, Besu, Nethermind, hosted ones). Pure.
import { ChainError, type ChainErrorCode, type Hex } from "./port.ts";
import { revertError } from "./token/revert.ts";

/** The `error` member of a JSON-RPC answer. */
export interface NodeError {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
}

/** The codes whose words a node may add to: what it said is quoted. */
const WORDS: readonly (readonly [RegExp, ChainErrorCode, string])[] = [
  [/nonce too low|nonce has already been used|OldNonce/i, "nonce-too-low", "the transaction's nonce is spent"],
  [/nonce too high|nonce gap/i, "nonce-too-high", "an earlier transaction has not arrived yet"],
  [
    /replacement transaction underpriced|gap too low|could not replace/i,
    "underpriced",
    "the replacement offers too little",
  ],
  [
    /max fee per gas less than|fee ?cap .*(less|lower|below)|underpriced|FeeTooLow|tip .*(less|lower|below)|gas price below/i,
    "underpriced",
    "the chain asks for a higher fee",
  ],
  [
    /insufficient funds|insufficient balance|Upfront cost exceeds/i,
    "insufficient-funds",
    "the operator's account cannot pay for gas",
  ],
  [/invalid chain id|chain ?id mismatch|wrong chain/i, "wrong-chain", "the node belongs to another chain"],
  [/rate limit|request limit|too many requests|limit exceeded/i, "rate-limited", "the node asks for fewer requests"],
  [
    /header not found|missing trie node|unknown block|block not found|state (is )?not available|state has moved|pruned|BlockOutOfRange/i,
    "state-unavailable",
    "the node does not have the state of that block",
  ],
  [
    /intrinsic gas too low|exceeds block gas limit|gas limit reached|oversized|gas required exceeds|out of gas|size exceed|gas limit too high|max initcode/i,
    "rejected",
    "the node does not take the transaction",
  ],
  [/unauthori[sz]ed|forbidden|api key|project id/i, "access-refused", "the node refuses access"],
];

/** Whether a node's error only says that it has the transaction already. */
export function isKnownTransaction({ message }: NodeError): boolean {
  return /already known|already imported|known transaction|AlreadyKnown/i.test(message);
}

/** The failure that a node's error stands for. `secrets` must never show in the reason: see {@link quote}. */
export function nodeError(error: NodeError, secrets: readonly string[] = []): ChainError {
  const revert = revertData(error);
  if (revert !== undefined) return revertError(revert);
  for (const [words, code, reason] of WORDS) {
    if (words.test(error.message)) return new ChainError(code, `${reason} (${quote(error.message, secrets)})`);
  }
  if (error.code === -32601) {
    return new ChainError("not-a-node", `the node lacks a method (${quote(error.message, secrets)})`);
  }
  if (error.code === -32005 || error.code === 429) {
    return new ChainError("rate-limited", `the node asks for fewer requests (${quote(error.message, secrets)})`);
  }
  return new ChainError("node-failing", `the node answered with an error (${quote(error.message, secrets)})`);
}

/** A node's words, fit to be shown: without secrets, addresses of hosts and payloads, on one line, not too long. */
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

/** A revert's data, null where the node gives none, undefined where the error is no revert. */
function revertData({ code, message, data }: NodeError): Hex | null | undefined {
  const found = hexIn(data) ?? hexIn(typeof data === "object" && data !== null && "data" in data ? data.data : null);
  const isRevert = code === 3 || /\brevert(ed)?\b|VM execution error/i.test(message);
  return isRevert ? (found ?? null) : undefined;
}

function hexIn(data: unknown): Hex | null {
  const match = typeof data === "string" ? /0x[0-9a-f]*$/i.exec(data) : null;
  return match ? (match[0].toLowerCase() as Hex) : null;
}
