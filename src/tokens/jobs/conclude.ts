// Conclusion of a submission: read from the chain's state at the confirmed depth. Neither the sent bytes nor a
// successful receipt decide, since a call to an address without code succeeds too.

import { present } from "../../kernel/assert.ts";
import { type Call, callWithoutRequest } from "../../kernel/call.ts";
import type { Runtime } from "../../kernel/runtime.ts";
import type { Address } from "../../kernel/text/wallet-address.ts";
import { findAny } from "../../storage/database/records.ts";
import { storeSetting } from "../../storage/database/settings.ts";
import type { Reader, Tx } from "../../storage/database/sql.ts";
import type { Writer } from "../../storage/database/writer.ts";
import { ChainError, type Hex, type Receipt } from "../chain/port.ts";
import { classDigest, findFactory, keysProven, tokenAddress, tokenAt } from "../chain/token/token.ts";
import {
  type Attempt,
  changeOperation,
  endSubmission,
  listSent,
  type Operation,
  placeAttempt,
  type Submission,
} from "./operation-store.ts";
import { CHAIN_SETTINGS, completeDeployment, completeOperation, failOperation } from "./record.ts";
import { findFactoryAddress, type Session } from "./session.ts";
import { changeToken } from "./token-store.ts";

const TRIES_MAX = 3;

/** The inputs of a conclusion. */
export interface ConclusionParts {
  readonly db: Reader;
  readonly writer: Writer;
  readonly runtime: Runtime;
  readonly session: Session;
  /** Null if the work was found done without a transaction of ours. */
  readonly submission: Submission | null;
}

/** The state of some operations as of a confirmed block. */
interface Confirmed {
  /** The keys that a receipt proves. */
  readonly proven: ReadonlySet<Hex>;
  readonly hash: Hex;
  readonly safe: bigint;
}

/** The result of one submission. */
export class Conclusion {
  readonly #db: Reader;
  readonly #writer: Writer;
  readonly #runtime: Runtime;
  readonly #session: Session;
  readonly #submission: Submission | null;

  constructor({ db, writer, runtime, session, submission }: ConclusionParts) {
    this.#db = db;
    this.#writer = writer;
    this.#runtime = runtime;
    this.#session = session;
    this.#submission = submission;
  }

  /** Concludes a submission with a transaction in a confirmed block. */
  async byReceipt(attempt: Attempt, receipt: Receipt, safe: bigint): Promise<void> {
    const { seq, kind } = present(this.#submission, "the submission");
    const place = (tx: Tx) => placeAttempt(tx, attempt.seq, receipt.blockNumber, receipt.blockHash);
    if (kind === "factory") {
      if (receipt.status === "success" && receipt.contractAddress) {
        return this.keepFactory(receipt.contractAddress, place);
      }
      return this.#end(place);
    }
    const operations = listSent(this.#db, { submission: seq });
    const contract = present(this.#submission?.toAddress, "the contract") as Address;
    const proven = receipt.status === "success" ? keysProven(receipt, contract) : new Set<Hex>();
    await this.#byKeys(operations, { proven, hash: attempt.hash as Hex, safe }, place);
  }

  /** Whether the submission is over without a transaction in a block: another transaction used its nonce. */
  async withoutReceipt(attempts: readonly Attempt[], safe: bigint): Promise<boolean> {
    const { seq, kind } = present(this.#submission, "the submission");
    if (kind === "factory") {
      const found = await findFactory(this.#session.chain, this.#session.operator.address, safe);
      if (found !== null) await this.keepFactory(found);
      return found !== null;
    }
    const operations = listSent(this.#db, { submission: seq });
    const isDone = await this.#areDone(operations, safe);
    if (operations.length > 0 && !isDone.includes(true)) return false;
    const hash = present(attempts[0], "an attempt").hash as Hex;
    await this.#byKeys(operations, { proven: new Set(), hash, safe }, () => undefined);
    return true;
  }

  /** Ends the submission, which the chain will never accept. */
  async byRefusal(reason: string): Promise<void> {
    const { seq } = present(this.#submission, "the submission");
    await this.#writer.submit((tx) => {
      for (const operation of listSent(tx, { submission: seq }))
        failOperation(tx, this.#call(operation), operation, reason);
      endSubmission(tx, { seq, state: "FAILED" });
    });
  }

  /** Records the factory, and ends the submission that created it. */
  async keepFactory(address: Address, more: (tx: Tx) => void = () => undefined): Promise<void> {
    await this.#end((tx) => {
      more(tx);
      storeSetting(tx, CHAIN_SETTINGS.factory, address);
    });
  }

  /** Records the token of a class found at `address`, in its present state. An earlier attempt may have created it. */
  async adopt(
    operation: Operation,
    { address, hash, safe }: { readonly address: Address; readonly hash: Hex | null; readonly safe: bigint },
    more: (tx: Tx) => void = () => undefined,
  ): Promise<void> {
    const token = tokenAt(this.#session.chain, address, safe);
    const [supply, authorized] = [await token.totalSupply(), await token.authorized()];
    await this.#end((tx) => {
      more(tx);
      completeDeployment(tx, this.#call(operation), operation, { address, supply, authorized, hash });
    });
  }

  async #byKeys(
    operations: readonly Operation[],
    { proven, hash, safe }: Confirmed,
    place: (tx: Tx) => void,
  ): Promise<void> {
    const unproven = operations.filter(({ key }) => !proven.has(key as Hex));
    const isDone = await this.#areDone(unproven, safe);
    const undone = new Set(unproven.filter((_, index) => !isDone[index]));
    const [first] = operations;
    if (first?.kind === "deploy" && undone.size === 0) {
      return this.adopt(first, { address: await this.#tokenOf(first), hash, safe }, place);
    }
    const supply = first && undone.size < operations.length ? await this.#supply(first, safe) : null;
    await this.#end((tx) => {
      place(tx);
      for (const operation of operations) {
        const call = this.#call(operation);
        if (undone.has(operation)) requeue(tx, call, operation);
        else completeOperation(tx, call, operation, hash);
      }
      if (first && supply !== null) {
        changeToken(tx, first.orgId, first.stockClassId, { totalSupply: String(supply) });
      }
    });
  }

  /** Whether each operation has taken effect, as of a confirmed block. */
  async #areDone(operations: readonly Operation[], safe: bigint): Promise<readonly boolean[]> {
    const [first] = operations;
    if (!first) return [];
    const { chain } = this.#session;
    if (first.kind === "deploy") return [(await chain.code(await this.#tokenOf(first), safe)) !== null];
    const keys = operations.map(({ key }) => key as Hex);
    try {
      return await tokenAt(chain, await this.#tokenOf(first), safe).processed(keys);
    } catch (error) {
      if (error instanceof ChainError && error.code === "no-contract") return operations.map(() => false);
      throw error;
    }
  }

  async #supply(operation: Operation, safe: bigint): Promise<bigint> {
    return tokenAt(this.#session.chain, await this.#tokenOf(operation), safe).totalSupply();
  }

  async #tokenOf({ kind, orgId, stockClassId }: Operation): Promise<Address> {
    if (kind !== "deploy") {
      return present(
        findAny(this.#db, "share_classes", orgId, stockClassId)?.tokenAddress,
        "the token's address",
      ) as Address;
    }
    const factory = present(findFactoryAddress(this.#db), "the factory");
    return tokenAddress(this.#session.chain, factory, classDigest(orgId, stockClassId), "latest");
  }

  #call({ orgId }: Operation): Call {
    return callWithoutRequest(this.#runtime, orgId, "job");
  }

  async #end(work: (tx: Tx) => void): Promise<void> {
    const submission = this.#submission;
    await this.#writer.submit((tx) => {
      work(tx);
      if (submission) endSubmission(tx, { seq: submission.seq, state: "DONE" });
    });
  }
}

/** An operation whose transaction had no effect is retried: the simulation before the retry explains the failure. */
function requeue(tx: Tx, call: Call, operation: Operation): void {
  const tries = operation.tries + 1;
  changeOperation(tx, operation, { state: "QUEUED", submission: null, tries });
  if (tries < TRIES_MAX) return;
  failOperation(tx, call, operation, `the transaction was mined ${TRIES_MAX} times without any effect`);
}
