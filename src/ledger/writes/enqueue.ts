// Enqueues moved shares of tokenized classes for the background work, in the entry's own commit, so that no entry is
// missed. The jobs decide what the chain does.

import type { Call } from "../../kernel/call.ts";
import { formatDecimal, ZERO } from "../../kernel/numbers/decimal.ts";
import type { Row, Tx } from "../../storage/database/sql.ts";
import { tell } from "../../storage/outbox/tell.ts";
import { isTokenized } from "../../storage/outbox/tokens.ts";
import { type LedgerState, outstandingStock } from "../replay/state.ts";
import type { SecurityState } from "../types.ts";

/** How one entry moved one stock security's outstanding shares. Quantities are decimal strings in shares. */
export interface ShareMovement {
  readonly securityId: string;
  readonly stockClassId: string;
  readonly from: { readonly stakeholderId: string | null; readonly quantity: string };
  readonly to: { readonly stakeholderId: string | null; readonly quantity: string };
}

/** More movements than these (a split of a large class) are not listed: the job looks at the class page by page. */
const MOVEMENTS_MAX = 100;

/** What a write made of the state, and the classes that it concerns. */
interface ChangedClasses {
  readonly before: LedgerState;
  readonly after: LedgerState;
  readonly classes: ReadonlyMap<string, Row<"share_classes">>;
}

/** Appends an outbox row for each tokenized class whose outstanding shares the entry moved. */
export function enqueueMirroring(
  tx: Tx,
  call: Call,
  entry: Row<"transactions">,
  { before, after, classes }: ChangedClasses,
): void {
  if (![...classes.values()].some(isTokenized)) return;
  for (const [stockClassId, movements] of movementsByClass(before, after)) {
    if (!isTokenized(classes.get(stockClassId))) continue;
    const isMany = movements.length > MOVEMENTS_MAX;
    tell(tx, call, {
      kind: isMany ? "mirror-class" : "mirror-entry",
      subject: { stockClassId, securityId: entry.securityId, transactionId: entry.id },
      payload: isMany ? {} : { movements },
    });
  }
}

function movementsByClass(before: LedgerState, after: LedgerState): Map<string, ShareMovement[]> {
  const byClass = new Map<string, ShareMovement[]>();
  for (const [id, now] of after.securities) {
    const was = before.securities.get(id);
    if (was === now || now.type !== "STOCK") continue;
    for (const stockClassId of classesOf(was, now)) {
      const quantityIn = (state: typeof now | undefined) =>
        state?.stockClassId === stockClassId ? outstandingStock(state) : ZERO;
      const from = { stakeholderId: was?.stakeholderId ?? null, quantity: formatDecimal(quantityIn(was)) };
      const to = { stakeholderId: now.stakeholderId, quantity: formatDecimal(quantityIn(now)) };
      if (from.quantity === to.quantity && from.stakeholderId === to.stakeholderId) continue;
      const list = byClass.get(stockClassId) ?? [];
      list.push({ securityId: id, stockClassId, from, to });
      byClass.set(stockClassId, list);
    }
  }
  return byClass;
}

/** The classes that a security was of, and is of now. */
function classesOf(was: SecurityState | undefined, now: SecurityState): readonly string[] {
  const [before, after] = [was?.stockClassId ?? null, now.stockClassId];
  if (before === null || before === after) return after === null ? [] : [after];
  return after === null ? [before] : [before, after];
}

/** Has the token's cap follow where an operation changed the authorized shares of a class that has, or gets, a token. */
export function enqueueCapUpdates(tx: Tx, call: Call, { before, after, classes }: ChangedClasses): void {
  for (const [id, { tokenizationStatus }] of classes) {
    if (before.classes.get(id)?.authorized === after.classes.get(id)?.authorized) continue;
    if (tokenizationStatus !== "PENDING" && tokenizationStatus !== "DEPLOYED") continue;
    tell(tx, call, { kind: "tokenize-class", subject: { stockClassId: id } });
  }
}
