// Lineage of a security: its origins, with every entry on them. Its paper is made from it, without the rest of the
// ledger.

import { present } from "../../kernel/assert.ts";
import { membersOf } from "../../ledger/members.ts";
import { toDraft } from "../../ledger/replay/replay.ts";
import { listEntriesOn, listSplits } from "../../ledger/replay/replay-store.ts";
import { findAny } from "../../storage/database/records.ts";
import type { Reader, Row } from "../../storage/database/sql.ts";
import type { Lineage } from "../cap-table/view.ts";
import { listSourcesOf } from "./store.ts";

/** Reads it; the security is the first of it. */
export function readLineageOf(db: Reader, orgId: string, id: string): Lineage & { readonly rows: Row<"securities">[] } {
  const ids = new Set([id]);
  const rows: Row<"securities">[] = [];
  const entries: Row<"transactions">[] = listSplits(db, orgId);
  // What is added meanwhile is walked, too.
  for (const each of ids) {
    const row = findAny(db, "securities", orgId, each);
    if (row) rows.push(row);
    const own = listEntriesOn(db, orgId, each);
    entries.push(...own);
    for (const source of [row?.originSecurityId ?? null, ...own.flatMap((entry) => sourcesOf(db, entry))]) {
      if (source !== null) ids.add(source);
    }
  }
  return { ids: [...ids], rows, entries: entries.sort((a, b) => a.sequence - b.sequence) };
}

/** The securities that an entry names as what its own came of; an import's names the transaction that made it. */
function sourcesOf(db: Reader, entry: Row<"transactions">): readonly (string | null)[] {
  const { originSecurityId, imported } = membersOf(present(toDraft(entry), "the meaning of an entry"));
  if (imported.resultOf === null) return [originSecurityId];
  const found = listSourcesOf(db, { orgId: entry.orgId, objectId: imported.resultOf });
  return [originSecurityId, ...found.map(({ securityId }) => securityId)];
}
