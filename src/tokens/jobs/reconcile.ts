// Reconciliation of chain and ledger: totals each minute, every holder on request. A difference is recorded with its
// date; surplus tokens on the chain are never cancelled automatically.

import { type Decimal, formatDecimal, parseDecimal, ZERO } from "../../kernel/numbers/decimal.ts";
import type { Timestamp } from "../../kernel/runtime.ts";
import type { Address } from "../../kernel/text/wallet-address.ts";
import type { Reader, Row } from "../../storage/database/sql.ts";
import type { Writer } from "../../storage/database/writer.ts";
import { tokenAt } from "../chain/token/token.ts";
import { safeBlock } from "./sender.ts";
import type { Session } from "./session.ts";
import { awaitingApproval, listActiveStock } from "./stock-store.ts";
import { changeToken, dropDifferences, listDifferences, listPositions, storeDifference, TOTAL } from "./token-store.ts";
import { pendingOperations } from "./token-view.ts";

type TokenChain = Pick<Session, "chain" | "confirmations">;
const HOLDERS_AT_ONCE = 200;

/** The state of a class on chain, in shares. */
export interface Reconciliation {
  readonly orgId: string;
  readonly stockClassId: string;
  readonly name: string;
  readonly tokenizationStatus: string;
  readonly address: string | null;
  readonly totalSupply: string;
  /** The ledger's expectation: outstanding shares that await no approval. */
  readonly expectedSupply: string;
  readonly awaitingApproval: string;
  /** Operations and jobs under way: until they end, a difference may be resolving. */
  readonly pendingOperations: number;
  readonly holders: number;
  readonly differences: readonly Difference[];
}

/** Differences between chain and ledger. `address` is `total` for the total supply. */
export interface Difference {
  readonly address: string;
  readonly expected: string;
  readonly found: string;
  readonly since: Timestamp;
}

interface Finding {
  readonly address: string;
  readonly expected: Decimal;
  readonly found: Decimal;
}

/** The inputs of a reconciliation. */
export interface ReconciliationParts {
  readonly db: Reader;
  readonly writer: Writer;
  readonly session: TokenChain;
  /** The instant of the reconciliation. */
  readonly at: Timestamp;
}

/** Compares the total supply of each given DEPLOYED class and records differences. */
export async function reconcileTotals(
  parts: ReconciliationParts,
  classes: readonly Row<"share_classes">[],
): Promise<void> {
  const { db, session } = parts;
  const safe = await safeBlock(session);
  for (const stockClass of classes) {
    const token = tokenAt(session.chain, stockClass.tokenAddress as Address, safe);
    const found = await token.totalSupply();
    const { orgId, id } = stockClass;
    const expected = parseDecimal(stockClass.issued) - awaitingApproval(db, orgId, id);
    const findings = [{ address: TOTAL, expected, found }];
    await note(parts, stockClass, { findings, totalSupply: found, isComplete: false });
  }
}

/**
 * Compares a class's total supply and the balance of every holder that it has or had; all 0 for a class without a
 * token.
 */
export async function reconcileClass(
  parts: ReconciliationParts,
  stockClass: Row<"share_classes">,
): Promise<Reconciliation> {
  const { db, session } = parts;
  const { orgId, id: stockClassId, name, tokenizationStatus } = stockClass;
  const address = tokenizationStatus === "DEPLOYED" ? (stockClass.tokenAddress as Address) : null;
  const token = address === null ? NO_TOKEN : tokenAt(session.chain, address, await safeBlock(session));
  const { expected, byAddress, awaiting, unassigned } = expectation(db, stockClass);
  const total = await token.totalSupply();
  const known = listPositions(db, { orgId, stockClassId }).map((position) => position.address);
  const addresses = [...new Set([...byAddress.keys(), ...known])] as Address[];
  const findings: Finding[] = [{ address: TOTAL, expected, found: total }];
  for (let start = 0; start < addresses.length; start += HOLDERS_AT_ONCE) {
    const some = addresses.slice(start, start + HOLDERS_AT_ONCE);
    const balances = await token.balancesOf(some);
    for (const [index, holder] of some.entries()) {
      findings.push({ address: holder, expected: byAddress.get(holder) ?? ZERO, found: balances[index] ?? ZERO });
    }
  }
  if (unassigned !== ZERO) findings.push({ address: "unassigned", expected: unassigned, found: ZERO });
  await note(parts, stockClass, { findings, totalSupply: total, isComplete: true });
  return {
    orgId,
    stockClassId,
    name,
    tokenizationStatus,
    address,
    totalSupply: formatDecimal(total),
    expectedSupply: formatDecimal(expected),
    awaitingApproval: formatDecimal(awaiting),
    pendingOperations: pendingOperations(db, orgId, stockClassId),
    holders: addresses.length,
    differences: listDifferences(db, { orgId, stockClassId }).map((row) => ({
      address: row.address,
      expected: formatDecimal(BigInt(row.expected)),
      found: formatDecimal(BigInt(row.found)),
      since: row.since,
    })),
  };
}

const NO_TOKEN = {
  totalSupply: async () => ZERO,
  balancesOf: async (holders: readonly Address[]) => holders.map(() => ZERO),
};

function expectation(db: Reader, { orgId, id }: Row<"share_classes">) {
  const byAddress = new Map<string, Decimal>();
  let [expected, awaiting, unassigned] = [ZERO, ZERO, ZERO];
  for (const { quantity: text, isGated, address } of listActiveStock(db, { orgId, stockClassId: id })) {
    const quantity = parseDecimal(text);
    if (isGated === 1) awaiting += quantity;
    else {
      expected += quantity;
      if (address === null) unassigned += quantity;
      else byAddress.set(address, (byAddress.get(address) ?? ZERO) + quantity);
    }
  }
  return { expected, byAddress, awaiting, unassigned };
}

/** The chain's figures of a class. */
interface Found {
  readonly findings: readonly Finding[];
  readonly totalSupply: Decimal;
  /** Whether every holder was compared. */
  readonly isComplete: boolean;
}

async function note(
  { writer, at }: ReconciliationParts,
  { orgId, id }: Row<"share_classes">,
  { findings, totalSupply, isComplete }: Found,
): Promise<void> {
  await writer.submit((tx) => {
    const before = new Map(listDifferences(tx, { orgId, stockClassId: id }).map((row) => [row.address, row.since]));
    dropDifferences(tx, orgId, id, isComplete);
    for (const { address, expected, found } of findings) {
      if (expected === found) continue;
      const since = before.get(address) ?? at;
      storeDifference(tx, orgId, id, { address, expected: String(expected), found: String(found), since });
    }
    changeToken(tx, orgId, id, { totalSupply: String(totalSupply), lastReconciledAt: at });
  });
}
