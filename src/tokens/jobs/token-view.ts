// A class's token compared with the ledger, from the background work's records: no request waits for the chain.

import { formatDecimal, parseDecimal } from "../../kernel/numbers/decimal.ts";
import type { Reader, Row } from "../../storage/database/sql.ts";
import { isChainOff } from "../../storage/outbox/tokens.ts";
import { EMBEDDED_CHAIN_ID } from "../chain/port.ts";
import { listUnfinished } from "./operation-store.ts";
import { findBinding } from "./session.ts";
import { awaitingApproval } from "./stock-store.ts";
import { countUnplanned, findTrouble } from "./store.ts";
import { findToken, listDifferences } from "./token-store.ts";

const DECIMALS = 10;

/** The members of `GET /share-classes/{id}/token`; quantities are decimal strings in shares. */
export function showToken(db: Reader, stockClass: Row<"share_classes">) {
  const { orgId, id, tokenAddress, tokenError, issued } = stockClass;
  const token = findToken(db, { orgId, stockClassId: id });
  const failed = listUnfinished(db, { orgId, stockClassId: id }).filter(({ state }) => state === "FAILED");
  const chainId = isChainOff(db) ? null : (findBinding(db)?.chainId ?? null);
  return {
    stockClassId: id,
    address: tokenAddress,
    chainId,
    isLocalDevelopmentChain: chainId === EMBEDDED_CHAIN_ID,
    decimals: DECIMALS,
    totalSupply: formatDecimal(BigInt(token?.totalSupply ?? "0")),
    ledgerTotal: formatDecimal(parseDecimal(issued)),
    awaitingApproval: formatDecimal(awaitingApproval(db, orgId, id)),
    pendingOperations: pendingOperations(db, orgId, id),
    failedOperations: failed.length,
    lastError: tokenError ?? failed.at(-1)?.error ?? findTrouble(db, { orgId, stockClassId: id }),
    lastReconciledAt: token?.lastReconciledAt ?? null,
    differences: listDifferences(db, { orgId, stockClassId: id }).map(({ address, expected, found, since }) => ({
      address,
      expected: formatDecimal(BigInt(expected)),
      found: formatDecimal(BigInt(found)),
      since,
    })),
  };
}

/** The number of a class's jobs and operations under way. */
export function pendingOperations(db: Reader, orgId: string, stockClassId: string): number {
  const operations = listUnfinished(db, { orgId, stockClassId }).filter(({ state }) => state !== "FAILED");
  return operations.length + countUnplanned(db, orgId, stockClassId);
}
