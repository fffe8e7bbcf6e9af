// Chain session: an open chain that was checked to be the data directory's own, with the key that its tokens obey.

import type { Runtime } from "../../kernel/runtime.ts";
import type { Address } from "../../kernel/text/wallet-address.ts";
import { findSetting } from "../../storage/database/settings.ts";
import type { Reader } from "../../storage/database/sql.ts";
import type { Writer } from "../../storage/database/writer.ts";
import type { Operator } from "../chain/keys.ts";
import { assertSameChain, type Chain, ChainError, type ChainIdentity } from "../chain/port.ts";
import { type Binding, bindChain, CHAIN_SETTINGS, forgetChain } from "./record.ts";

/** The chain's source, from the composition root. */
export interface ChainSource {
  /** Confirmations: the depth of a transaction, 1 being the block that holds it. */
  readonly confirmations: number;
  /** The most operations in one transaction. */
  readonly batchMax: number;
  /** Opens the chain. May reject with {@link ChainError}. */
  openChain(): Promise<Chain>;
  /** Reads the operator's key; `isBound`: tokens may exist, so a new key must not be created. */
  openOperator(identity: ChainIdentity, isBound: boolean): Promise<Operator>;
  /** The extended public key of the holders' seed, which is created if it is missing. */
  openWallets(): Promise<string>;
}

/** A chain in use. */
export interface Session extends Pick<ChainSource, "confirmations" | "batchMax"> {
  readonly chain: Chain;
  readonly operator: Operator;
  readonly identity: ChainIdentity;
}

/** The chain that the data directory belongs to; null until its first use of a chain. */
export function findBinding(db: Reader): Binding | null {
  const text = findSetting(db, CHAIN_SETTINGS.chain);
  return text === null ? null : JSON.parse(text);
}

/** The factory of the tokens; null until it is created. */
export function findFactoryAddress(db: Reader): Address | null {
  return (findSetting(db, CHAIN_SETTINGS.factory) || null) as Address | null;
}

/** Opens the chain and checks that it is ours; a chain that was reset is forgotten. Rejects with {@link ChainError}. */
export async function openSession(db: Reader, writer: Writer, runtime: Runtime, source: ChainSource): Promise<Session> {
  const chain = await source.openChain();
  try {
    const identity = await chain.identity();
    const binding = findBinding(db);
    const operator = await source.openOperator(identity, binding !== null && findFactoryAddress(db) !== null);
    const now: Binding = { ...identity, operator: operator.address };
    await recognize(writer, runtime, binding, now);
    if (binding === null) await writer.submit((tx) => bindChain(tx, now));
    else if (binding.operator !== operator.address) await changeOperator(db, writer, binding, now);
    const { confirmations, batchMax } = source;
    return { chain, operator, identity, confirmations: chain.embedded ? 1 : confirmations, batchMax };
  } catch (error) {
    await chain.close();
    throw error;
  }
}

/** Checks that the chain of a session is still the same. Rejects as {@link openSession} does. */
export async function checkSession(writer: Writer, runtime: Runtime, session: Session): Promise<void> {
  const operator = session.operator.address;
  const now = { ...(await session.chain.identity()), operator };
  await recognize(writer, runtime, { ...session.identity, operator }, now);
}

async function recognize(writer: Writer, runtime: Runtime, binding: Binding | null, now: Binding): Promise<void> {
  if (binding === null) return;
  try {
    assertSameChain(binding, now);
  } catch (error) {
    if (error instanceof ChainError && error.code === "chain-reset") {
      await writer.submit((tx) => forgetChain(tx, runtime, now, error.message));
    }
    throw error;
  }
}

async function changeOperator(db: Reader, writer: Writer, binding: Binding, now: Binding): Promise<void> {
  if (findFactoryAddress(db) !== null) {
    const reason = `the tokens obey the key of ${binding.operator}, but the configured key is that of ${now.operator}`;
    throw new ChainError("not-issuer", reason);
  }
  await writer.submit((tx) => bindChain(tx, now));
}
