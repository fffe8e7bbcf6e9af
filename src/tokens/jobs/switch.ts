// The chain's switch: while the chain is off, share classes get no tokens; once it is on again, those created meanwhile
// wait for a request, as imported ones do. The database stores it, so that commands beside the server know it without
// the server's settings.

import { callWithoutRequest } from "../../kernel/call.ts";
import { problem } from "../../kernel/problem.ts";
import type { Runtime } from "../../kernel/runtime.ts";
import { storeSetting } from "../../storage/database/settings.ts";
import type { Reader, Row, Tx } from "../../storage/database/sql.ts";
import { CHAIN_IS_OFF, CHAIN_SETTING, isChainOff } from "../../storage/outbox/tokens.ts";
import { dropOperations } from "./operation-store.ts";
import { expectNoTokens } from "./stock-store.ts";
import { dropJobs } from "./store.ts";
import { changeToken, dropDifferences, listTokenized, listWithoutToken, setTokenization } from "./token-store.ts";

/** Throws `409 invalid-state` if the chain is off. */
export function refuseChainOff(db: Reader): void {
  if (isChainOff(db))
    throw problem("invalid-state", "The chain is off (`CAPTABLE_CHAIN`): no share class gets a token.");
}

/** A class whose token exists or is under way, so that the chain cannot be turned off; null if no class has one. */
export function findTokenInUse(db: Reader): Row<"share_classes"> | null {
  return listTokenized(db).find(({ deletedAt }) => deletedAt === null) ?? null;
}

/** Turns tokens on. Classes created without one wait for `retokenize`. */
export function turnOn(tx: Tx): void {
  if (isChainOff(tx)) storeSetting(tx, CHAIN_SETTING, "");
}

/** Turns tokens off, if no token is in use: waiting classes stop waiting. */
export function turnOff(tx: Tx, runtime: Runtime): void {
  for (const { orgId, id } of listWithoutToken(tx)) {
    const call = { ...callWithoutRequest(runtime, orgId, "job"), evenClosed: true } as const;
    const none = { isImported: 1, tokenizationStatus: "NOT_STARTED", tokenAddress: null, tokenError: null } as const;
    setTokenization(tx, call, id, none);
    changeToken(tx, orgId, id, { deadlineMs: null, totalSupply: null, lastReconciledAt: null });
    dropDifferences(tx, orgId, id, true);
    expectNoTokens(tx, call, id);
    dropOperations(tx, orgId, id, "deployments");
    dropJobs(tx, { orgId, stockClassId: id });
  }
  if (!isChainOff(tx)) storeSetting(tx, CHAIN_SETTING, CHAIN_IS_OFF);
}
