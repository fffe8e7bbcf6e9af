// Transaction sender: executes operations on the chain exactly once. One submission is under way at a time: it is
// signed and stored before it is sent, resent in the same bytes as often as needed, and concluded only by the chain's
// state at the confirmed depth. In every other case (a crash, a lost answer, a reorganization), the operation's key
// works once.

import { present } from "../../kernel/assert.ts";
import { type Call, callWithoutRequest } from "../../kernel/call.ts";
import type { Runtime } from "../../kernel/runtime.ts";
import type { Address } from "../../kernel/text/wallet-address.ts";
import { findAny } from "../../storage/database/records.ts";
import type { Reader } from "../../storage/database/sql.ts";
import type { Writer } from "../../storage/database/writer.ts";
import { ChainError, type Fees, type Hex, type Receipt } from "../chain/port.ts";
import {
  classDigest,
  encodeDeploy,
  encodeOperation,
  FACTORY_CREATION,
  findFactory,
  type HolderEntry,
  type TokenOperation,
  tokenAddress,
  tokenAt,
} from "../chain/token/token.ts";
import { Conclusion } from "./conclude.ts";
import {
  type Attempt,
  findOpenSubmission,
  insertAttempt,
  insertSubmission,
  listAttempts,
  listNextOperations,
  listSignedBetween,
  type Operation,
  type SignedAttempt,
  type Submission,
} from "./operation-store.ts";
import { completeOperation, failClass, failOperation } from "./record.ts";
import { checkSession, findFactoryAddress, type Session } from "./session.ts";

/** The result of a step: no work, go on at once, or check again later. */
export type Progress = "idle" | "again" | "wait";

/** Intervals of the sender, in milliseconds. */
export interface SenderTiming {
  /** After this long without a block, a transaction is sent again with higher fees. */
  readonly stuckMs: number;
  /** The interval of resending the same bytes. */
  readonly resendMs: number;
}

const BUMPS_MAX = 10;

/** The call of an operation to be signed: recipient and data. */
interface Draft {
  readonly kind: Submission["kind"];
  readonly to: Address | null;
  readonly data: Hex;
}

/** An open submission, its transactions, newest first, and the code that concludes it. */
interface OpenSubmission {
  readonly session: Session;
  readonly submission: Submission;
  readonly attempts: readonly Attempt[];
  readonly conclusion: Conclusion;
}

/** The one sender of a data directory's operator. */
export class Sender {
  readonly #db: Reader;
  readonly #writer: Writer;
  readonly #runtime: Runtime;
  readonly #timing: SenderTiming;
  /** When this process first and last sent each transaction, by hash, in monotonic time. */
  readonly #handedOver = new Map<string, { readonly firstMs: number; readonly lastMs: number }>();

  constructor(db: Reader, writer: Writer, runtime: Runtime, timing: SenderTiming) {
    this.#db = db;
    this.#writer = writer;
    this.#runtime = runtime;
    this.#timing = timing;
  }

  /** Takes one step. Rejects with the {@link ChainError} that prevents it. */
  async advance(session: Session): Promise<Progress> {
    const open = findOpenSubmission(this.#db);
    if (open) return this.#settle(session, open);
    const operations = listNextOperations(this.#db, session.batchMax);
    const [first] = operations;
    if (!first) return "idle";
    return first.kind === "deploy" ? this.#deploy(session, first) : this.#operate(session, operations);
  }

  /** Checks an open submission, and sends it again if it was not mined. */
  async #settle(session: Session, submission: Submission): Promise<Progress> {
    const { chain, operator } = session;
    const conclusion = this.#conclusionOf(session, submission);
    const attempts = listAttempts(this.#db, { submission: submission.seq });
    const latest = present(attempts[0], "the submission's transaction");
    const safe = await safeBlock(session);
    const found = await findReceipt(session, attempts);
    if (found) {
      if (found.receipt.blockNumber > safe) return "wait";
      await conclusion.byReceipt(found.attempt, found.receipt, safe);
      this.#handedOver.clear();
      return "again";
    }
    if ((await chain.nonce(operator.address, safe)) > latest.nonce) {
      if (await findReceipt(session, attempts)) return "again";
      const isOver = await conclusion.withoutReceipt(attempts, safe);
      if (!isOver) await this.#signAgain(session, submission, latest, null);
      return "again";
    }
    return this.#handOver({ session, submission, attempts, conclusion });
  }

  #conclusionOf(session: Session, submission: Submission | null): Conclusion {
    return new Conclusion({ db: this.#db, writer: this.#writer, runtime: this.#runtime, session, submission });
  }

  async #handOver(open: OpenSubmission): Promise<Progress> {
    const { session, submission, attempts } = open;
    const latest = present(attempts[0], "the submission's transaction");
    const nowMs = this.#runtime.elapsedMs();
    const before = this.#handedOver.get(latest.hash);
    if (before && nowMs - before.firstMs >= this.#timing.stuckMs && attempts.length <= BUMPS_MAX) {
      const isCutOff = await this.#isCutOff(session, latest.nonce);
      await this.#signAgain(session, submission, latest, isCutOff ? null : JSON.parse(latest.fees));
      return "again";
    }
    if (before && nowMs - before.lastMs < this.#timing.resendMs) return "wait";
    try {
      await this.#fillGap(session, latest.nonce);
      await session.chain.send(latest.raw as Hex);
    } catch (error) {
      return this.#refusedToTake(error, open);
    }
    this.#handedOver.set(latest.hash, { firstMs: before?.firstMs ?? nowMs, lastMs: nowMs });
    return before === undefined ? "again" : "wait";
  }

  async #refusedToTake(error: unknown, open: OpenSubmission): Promise<Progress> {
    const { session, submission, attempts, conclusion } = open;
    const latest = present(attempts[0], "the submission's transaction");
    if (!(error instanceof ChainError)) throw error;
    if (error.code === "nonce-too-low") return "wait"; // mined already, or its nonce was used: the next check decides
    if (error.code === "underpriced" && attempts.length <= BUMPS_MAX) {
      await this.#signAgain(session, submission, latest, JSON.parse(latest.fees));
      return "again";
    }
    if (error.kind !== "deterministic") throw error;
    await conclusion.byRefusal(error.message);
    return "again";
  }

  /** After a reorganization deeper than the confirmations, resends the dropped transactions before this nonce. */
  async #fillGap(session: Session, nonce: number): Promise<void> {
    const { chain, operator } = session;
    const next = await chain.nonce(operator.address, "latest");
    if (next >= nonce) return;
    // A reset chain lacks them too, and must not get the old chain's transactions: they would take effect there.
    await checkSession(this.#writer, this.#runtime, session);
    for (const { raw } of listSignedBetween(this.#db, { from: next, to: nonce })) {
      await chain.send(raw as Hex).catch((error: unknown) => {
        if (!(error instanceof ChainError) || error.code !== "nonce-too-low") throw error;
      });
    }
  }

  /**
   * Whether another program used a nonce before this one, in a transaction that a reorganization has dropped for good.
   */
  async #isCutOff({ chain, operator }: Session, nonce: number): Promise<boolean> {
    const next = await chain.nonce(operator.address, "latest");
    const ours = new Set(listSignedBetween(this.#db, { from: next, to: nonce }).map((signed) => signed.nonce));
    return ours.size < nonce - next;
  }

  async #deploy(session: Session, operation: Operation): Promise<Progress> {
    const { chain, operator } = session;
    const { orgId, stockClassId } = operation;
    const factory = findFactoryAddress(this.#db);
    if (factory === null) return this.#makeFactory(session, operation);
    const safe = await safeBlock(session);
    const stockClass = present(findAny(this.#db, "share_classes", orgId, stockClassId), "the class");
    const digest = classDigest(orgId, stockClassId);
    const address = await tokenAddress(chain, factory, digest, "latest");
    if ((await chain.code(address, safe)) !== null) {
      await this.#conclusionOf(session, null).adopt(operation, { address, hash: null, safe });
      return "again";
    }
    const { name, defaultIdPrefix } = stockClass;
    const data = encodeDeploy(digest, name, defaultIdPrefix, BigInt(operation.amount));
    const gas = await this.#simulate(operation, () => chain.simulate({ from: operator.address, to: factory, data }));
    return gas === null ? "again" : this.#sign(session, { kind: "deploy", to: factory, data }, gas, [operation]);
  }

  async #makeFactory(session: Session, operation: Operation): Promise<Progress> {
    const { chain, operator } = session;
    const known = await findFactory(chain, operator.address, await safeBlock(session));
    if (known !== null) {
      await this.#conclusionOf(session, null).keepFactory(known);
      return "again";
    }
    const call = { from: operator.address, to: null, data: FACTORY_CREATION };
    const gas = await this.#simulate(operation, () => chain.simulate(call));
    return gas === null ? "again" : this.#sign(session, { kind: "factory", ...call }, gas, []);
  }

  async #operate(session: Session, operations: readonly Operation[]): Promise<Progress> {
    const { chain, operator } = session;
    const first = present(operations[0], "an operation");
    const { orgId, stockClassId } = first;
    const token = present(
      findAny(this.#db, "share_classes", orgId, stockClassId)?.tokenAddress,
      "the token's address",
    ) as Address;
    const keys = operations.map(({ key }) => key as Hex);
    const safe = await safeBlock(session);
    let used: readonly boolean[];
    try {
      used = await tokenAt(chain, token, safe).processed(keys);
    } catch (error) {
      if (!(error instanceof ChainError) || error.code !== "no-contract") throw error;
      const reason = `there is no token contract at ${token} any more`;
      await this.#writer.submit((tx) => failClass(tx, this.#call(orgId), stockClassId, reason));
      return "again";
    }
    if (used.includes(true)) {
      const done = operations.filter((_, index) => used[index]);
      await this.#writer.submit((tx) => {
        for (const operation of done) completeOperation(tx, this.#call(orgId), operation, null);
      });
      return "again";
    }
    if (!chain.embedded && (await tokenAt(chain, token, "latest").processed(keys)).includes(true)) return "wait";
    const data = encodeOperation(toTokenOperation(operations));
    const call = { from: operator.address, to: token, data };
    if (operations.length > 1) {
      const gas = await chain.simulate(call).catch(refusalOf);
      if (typeof gas !== "bigint") return this.#operate(session, [first]);
      return this.#sign(session, { kind: "operations", to: token, data }, gas, operations);
    }
    const gas = await this.#simulate(first, () => chain.simulate(call));
    return gas === null ? "again" : this.#sign(session, { kind: "operations", to: token, data }, gas, operations);
  }

  #call(orgId: string): Call {
    return callWithoutRequest(this.#runtime, orgId, "job");
  }

  /** The gas of a call; if the call can never succeed, fails the operation and returns null. No nonce is used yet. */
  async #simulate(operation: Operation, simulate: () => Promise<bigint>): Promise<bigint | null> {
    const gas = await simulate().catch(refusalOf);
    if (typeof gas === "bigint") return gas;
    await this.#writer.submit((tx) => failOperation(tx, this.#call(operation.orgId), operation, gas.message));
    return null;
  }

  async #sign(session: Session, draft: Draft, gas: bigint, operations: readonly Operation[]): Promise<Progress> {
    const { kind, to, data } = draft;
    const nonce = await session.chain.nonce(session.operator.address, "latest");
    const attempt = await this.#signed(session, { to, data }, { gas, nonce, fees: await session.chain.fees() });
    const submission = { kind, toAddress: to, data, createdAtMs: attempt.createdAtMs };
    await this.#writer.submit((tx) => insertSubmission(tx, submission, attempt, operations));
    return "again";
  }

  /** Signs a submission anew: at the same nonce with higher fees than `below`, or (null) at a new nonce. */
  async #signAgain(session: Session, submission: Submission, last: Attempt, below: StoredFees | null): Promise<void> {
    const { chain, operator } = session;
    const offered = await chain.fees();
    const fees = below === null ? offered : raised(below, offered);
    const nonce = below === null ? await chain.nonce(operator.address, "latest") : last.nonce;
    const draft = { to: submission.toAddress as Address | null, data: submission.data as Hex };
    const attempt = await this.#signed(session, draft, { gas: BigInt(last.gas), nonce, fees });
    await this.#writer.submit((tx) => insertAttempt(tx, submission.seq, attempt));
  }

  async #signed(
    { operator, identity }: Session,
    { to, data }: Pick<Draft, "to" | "data">,
    { gas, nonce, fees }: { readonly gas: bigint; readonly nonce: number; readonly fees: Fees },
  ): Promise<SignedAttempt> {
    const { raw, hash } = await operator.sign({ chainId: identity.chainId, nonce, to, data, gas, fees });
    const createdAtMs = this.#runtime.nowMs();
    return { nonce, gas: String(gas), fees: JSON.stringify(storedFees(fees)), raw, hash, createdAtMs };
  }
}

/** The newest confirmed block; the first one while the chain is shorter than the confirmations. */
export async function safeBlock({ chain, confirmations }: Pick<Session, "chain" | "confirmations">): Promise<bigint> {
  const safe = (await chain.head()) - BigInt(confirmations) + 1n;
  return safe > 0n ? safe : 0n;
}

async function findReceipt(
  { chain }: Session,
  attempts: readonly Attempt[],
): Promise<{ readonly attempt: Attempt; readonly receipt: Receipt } | null> {
  for (const attempt of attempts) {
    const receipt = await chain.receipt(attempt.hash as Hex);
    if (receipt) return { attempt, receipt };
  }
  return null;
}

/** A failure that a retry of the call would repeat; other errors are rethrown. */
function refusalOf(error: unknown): ChainError {
  const isFinal = error instanceof ChainError && (error.kind === "deterministic" || error.code === "not-issuer");
  if (isFinal) return error;
  throw error;
}

function toTokenOperation(operations: readonly Operation[]): TokenOperation {
  const [first] = operations;
  const { kind, key, amount, fromAddress, toAddress } = present(first, "an operation");
  const common = { key: key as Hex, amount: BigInt(amount) };
  if (kind === "setAuthorized") return { kind, key: common.key, authorized: common.amount };
  if (kind === "transfer") return { kind, ...common, from: fromAddress as Address, to: toAddress as Address };
  const entries = operations.map(
    (each): HolderEntry => ({
      key: each.key as Hex,
      holder: (each.toAddress ?? each.fromAddress) as Address,
      amount: BigInt(each.amount),
    }),
  );
  return { kind: kind === "issue" ? "issue" : "cancel", entries };
}

type StoredFees = { readonly [F in "maxFeePerGas" | "maxPriorityFeePerGas" | "gasPrice"]?: string };

function storedFees(fees: Fees): StoredFees {
  if (fees.type === "legacy") return { gasPrice: String(fees.gasPrice) };
  return { maxFeePerGas: String(fees.maxFeePerGas), maxPriorityFeePerGas: String(fees.maxPriorityFeePerGas) };
}

/** The present offer, but at least an eighth above the previous: nodes accept no smaller rise for the same nonce. */
function raised(before: StoredFees, offered: Fees): Fees {
  const more = (old: string | undefined, now: bigint) => {
    const least = (BigInt(old ?? "0") * 9n) / 8n + 1n;
    return now > least ? now : least;
  };
  if (offered.type === "legacy") return { type: "legacy", gasPrice: more(before.gasPrice, offered.gasPrice) };
  return {
    type: "eip1559",
    maxFeePerGas: more(before.maxFeePerGas, offered.maxFeePerGas),
    maxPriorityFeePerGas: more(before.maxPriorityFeePerGas, offered.maxPriorityFeePerGas),
  };
}
