// Ledger entries in the portal: a holder's own, without the other party, without their other members, and without a
// number that would reveal how many entries the ledger has.

import { type Decimal, formatDecimal } from "../../kernel/numbers/decimal.ts";
import { membersOf } from "../../ledger/members.ts";
import { type LedgerEvent, readEntry } from "../../ledger/replay/event.ts";
import { FamilyState } from "../../ledger/replay/family-state.ts";
import { OwnPrices } from "../../ledger/replay/own-prices.ts";
import { toDraft } from "../../ledger/replay/replay.ts";
import { listSplits } from "../../ledger/replay/replay-store.ts";
import type { LedgerState } from "../../ledger/replay/state.ts";
import { Story } from "../../ledger/replay/story.ts";
import { organizationCurrency } from "../../ledger/store.ts";
import { listLineEntries } from "../../ledger/vested/vesting-store.ts";
import { findAny } from "../../storage/database/records.ts";
import type { Reader, Row } from "../../storage/database/sql.ts";
import type { Own } from "./own.ts";
import { listEntriesAround, listOwnSecurities } from "./store.ts";

/** An entry as its holder sees it. A split is a line for each security that it changed. */
export interface OwnEntry {
  readonly id: string;
  readonly date: string;
  readonly type: string;
  /** Null if another holder has the security now. */
  readonly securityId: string | null;
  readonly certificateId: string | null;
  readonly quantity: string | null;
  readonly price: string | null;
  readonly currency: string;
  readonly isReceived: boolean;
}

/** An entry with its place, which is for sorting alone. */
type Placed = OwnEntry & { readonly sequence: number };

/** A holder's entries, newest first. */
export function listOwnEntries(db: Reader, own: Own): readonly OwnEntry[] {
  const currency = organizationCurrency(db, own.orgId);
  const placed = [...movesOf(db, own, currency), ...splitsOf(db, own, currency)];
  return placed.sort((a, b) => b.sequence - a.sequence).map(({ sequence: _sequence, ...entry }) => entry);
}

function movesOf(db: Reader, own: Own, organizationsCurrency: string): Placed[] {
  const rows = listEntriesAround(db, own.params);
  const prices = ownPrices(rows);
  return rows.flatMap((row) => {
    const side = sideOf(row, own);
    if (side === null) return [];
    const security = side.securityId === null ? null : findAny(db, "securities", own.orgId, side.securityId);
    const isOwn = security !== null && own.has(security.stakeholderId);
    return [
      {
        ...{ id: row.id, date: row.effectiveDate, type: row.type, sequence: row.sequence },
        securityId: isOwn ? security.id : null,
        certificateId: isOwn ? security.certificateId : null,
        quantity: row.quantity,
        // What a conversion of bought stock is issued at is what the seller paid.
        price: prices.has(row.securityId ?? "") || side.isReceived ? side.price : null,
        currency: security?.currency ?? organizationsCurrency,
        isReceived: side.isReceived,
      },
    ];
  });
}

/** An entry from the requesting holder's side. */
interface Side {
  readonly securityId: string | null;
  readonly price: string | null;
  readonly isReceived: boolean;
}

/** The side of an entry that is the holder's; null where neither is. */
function sideOf(row: Row<"transactions">, own: Own): Side | null {
  const draft = toDraft(row);
  if (draft === null) return null;
  const said = membersOf(draft);
  const price = said.pricePerShare ?? said.exercisePrice;
  if (own.has(row.stakeholderId)) return { securityId: row.securityId, price, isReceived: false };
  if (!own.has(said.toStakeholderId)) return null;
  return { securityId: said.newSecurityId ?? row.securityId, price, isReceived: true };
}

/** What splits did to each security while it was the holder's. */
function splitsOf(db: Reader, own: Own, organizationsCurrency: string): Placed[] {
  const splits = new Map(listSplits(db, own.orgId).map((row) => [row.sequence, row]));
  if (splits.size === 0) return [];
  return listOwnSecurities(db, own.params).flatMap((security) =>
    changesBySplits(db, own, security).flatMap(({ sequence, change }): Placed[] => {
      const row = splits.get(sequence);
      if (!row) return [];
      return [
        {
          ...{ id: row.id, date: row.effectiveDate, type: row.type, sequence, price: null, isReceived: false },
          ...{ securityId: security.id, certificateId: security.certificateId, quantity: formatDecimal(change) },
          currency: security.currency ?? organizationsCurrency,
        },
      ];
    }),
  );
}

interface SplitChange {
  readonly sequence: number;
  readonly change: Decimal;
}

function changesBySplits(db: Reader, own: Own, security: Row<"securities">): SplitChange[] {
  const changes: SplitChange[] = [];
  const follow = ({ kind, sequence }: LedgerEvent, { before, securities }: LedgerState) => {
    const [was, now] = [before.securities.get(security.id), securities.get(security.id)];
    if (kind !== "split" || !was || !now || !own.has(was.stakeholderId)) return;
    changes.push({ sequence, change: now.quantity - was.quantity });
  };
  const story = new Story(new FamilyState(), { follow });
  for (const event of listLineEntries(db, own.orgId, security)) story.take(event);
  return changes;
}

/** The securities whose prices are the holder's own, of entries that are newest first. */
function ownPrices(rows: readonly Row<"transactions">[]): OwnPrices {
  const prices = new OwnPrices();
  for (const row of rows.toReversed()) {
    const draft = toDraft(row);
    if (draft !== null) prices.follow(readEntry(draft));
  }
  return prices;
}

/** Of securities that a holder has: the entry that gave each, by its id, and whose price each has. */
export interface Founding {
  /** What issued or made it, or brought it later. */
  readonly entries: ReadonlyMap<string, Pick<Row<"transactions">, "id" | "hash">>;
  readonly prices: OwnPrices;
}

/** How each security came to the holder who has it. */
export function foundingOf(db: Reader, own: Own): Founding {
  const founding = new Map<string, Pick<Row<"transactions">, "id" | "hash">>();
  const prices = new OwnPrices();
  for (const row of listEntriesAround(db, own.params).toReversed()) {
    const draft = toDraft(row);
    if (draft === null) continue;
    const event = readEntry(draft);
    prices.follow(event);
    const { newSecurityId, toStakeholderId } = event.said;
    if (event.kind === "issued" && own.has(row.stakeholderId) && row.securityId !== null)
      founding.set(row.securityId, row);
    if (!own.has(toStakeholderId)) continue;
    const given = newSecurityId ?? (event.kind === "edited" ? row.securityId : null);
    if (given !== null) founding.set(given, row);
  }
  return { entries: founding, prices };
}
