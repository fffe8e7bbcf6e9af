// The chain turned off: no share class gets a token until it is on again, and then those that were made meanwhile wait
// until somebody asks for theirs, as imported ones do. It is remembered in the database, so that commands beside the
// server know it without the server's settings.

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

/** Throws `409 invalid-state` where the chain is off. */
export function refuseChainOff(db: Reader): void {
  if (isChainOff(db))
    throw problem("invalid-state", "The chain is off (`CAPTABLE_CHAIN`): no share class gets a token.");
}

/** A class whose token stands, or is under way, so that the chain cannot be turned off; null where there is none. */
export function findTokenInUse(db: Reader): Row<"share_classes"> | null {
  return listTokenized(db).find(({ deletedAt }) => deletedAt === null) ?? null;
}

/** Has tokens made from now on. Classes that were made without wait for `retokenize`. */
export function turnOn(tx: Tx): void {
  if (isChainOff(tx)) storeSetting(tx, CHAIN_SETTING, "");
}

/** Has no token made from now on, where none is in use: what waits for one waits no longer. */
export function turnOff(tx: Tx, runtime: Runtime): void {
  for (const { orgId, id } of listWithoutToken(tx)) {
    const call = callWithoutRequest(runtime, orgId, "job");
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
