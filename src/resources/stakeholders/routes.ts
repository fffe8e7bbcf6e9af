// Routes of stakeholders: the holders, present or possible, of securities.

import type { Call } from "../../kernel/call.ts";
import { problem } from "../../kernel/problem.ts";
import { foldName } from "../../kernel/text/names.ts";
import { checksumAddress } from "../../kernel/text/wallet-address.ts";
import { recordEntries } from "../../ledger/writes/execute.ts";
import { PIECE } from "../../storage/database/long-writes.ts";
import type { Reader, Row, Tx } from "../../storage/database/sql.ts";
import { tellOfHolder, tellOfSecurities } from "../../storage/outbox/tokens.ts";
import { isNamedByActive } from "../active-store.ts";
import { crudRoutes, type Resource } from "../crud.ts";
import { toColumns } from "../present.ts";
import { sameNameWarnings } from "./same-name.ts";
import { STAKEHOLDER_EXAMPLE, Stakeholder, StakeholderCreate, StakeholderFilters, StakeholderPatch } from "./schema.ts";
import { foldCase, searchTextOf } from "./search-text.ts";
import { addToStakeholderCount, findWalletHolder, isMembers, listStockOfHolder } from "./store.ts";

const stakeholders: Resource<Row<"stakeholders">, typeof StakeholderCreate, typeof StakeholderPatch> = {
  segment: "stakeholders",
  table: "stakeholders",
  name: "Stakeholder",
  plural: "Stakeholders",
  tag: "Stakeholders",
  about: "People and institutions that hold, or may hold, securities.",
  deleteNote: "Refused while the stakeholder holds an ACTIVE security, or a member of the organization is it.",
  listKey: "items",
  isWrapped: false,
  create: StakeholderCreate,
  patch: StakeholderPatch,
  record: Stakeholder,
  example: STAKEHOLDER_EXAMPLE,
  filters: StakeholderFilters,
  toFilters({ q, ...exact }) {
    const filters = Object.fromEntries(Object.entries(exact).filter(([, value]) => value !== undefined));
    return { ...(filters as Record<string, string>), ...(q === undefined ? {} : { searchText: foldCase(q) }) };
  },
  prepare(tx, call, given) {
    const walletAddress = walletOf(tx, call, given.walletAddress, null);
    const searchText = searchTextOf(given.displayName, given.email);
    return toColumns({ ...given, walletAddress, searchText, nameKey: foldName(given.name.legalName) });
  },
  alter(tx, call, before, patch) {
    const columns = toColumns(patch);
    if (patch.walletAddress) columns.walletAddress = walletOf(tx, call, patch.walletAddress, before.id);
    const { displayName = before.displayName, email = before.email } = patch;
    if (patch.name) columns.nameKey = foldName(patch.name.legalName);
    return { ...columns, searchText: searchTextOf(displayName, email) };
  },
  warn: (row, db) => sameNameWarnings(db, row),
  afterCreate: (tx, call) => addToStakeholderCount(tx, call.orgId, 1),
  afterChange(tx, call, before, after) {
    if (before.walletAddress !== after.walletAddress) {
      tellOfWallet(tx, call, after.id);
    }
    recordEntries(tx, call, [
      {
        type: "STAKEHOLDER_UPDATE",
        securityId: null,
        stakeholderId: after.id,
        quantity: null,
        effectiveDate: call.today,
        metadata: { changed: changedColumns(before, after) },
      },
    ]);
  },
  checkDelete(tx, call, row) {
    if (isNamedByActive(tx, "stakeholderId", call, row.id)) {
      throw problem("in-use", "The stakeholder holds an ACTIVE security.");
    }
    if (isMembers(tx, { orgId: call.orgId, stakeholderId: row.id })) {
      throw problem("in-use", "A member of the organization is this stakeholder: change or remove the member first.");
    }
  },
  afterDelete: (tx, call) => addToStakeholderCount(tx, call.orgId, -1),
};

/** The five routes of stakeholders. */
export const stakeholderRoutes = crudRoutes(stakeholders);

/** Moves the holder's tokens to the new wallet. The job finds the securities page by page, as they may be many. */
function tellOfWallet(tx: Tx, call: Call, stakeholderId: string): void {
  const stock = listStockOfHolder(tx, { orgId: call.orgId, stakeholderId, limit: PIECE + 1 });
  if (stock.length <= PIECE) tellOfSecurities(tx, call, stock);
  else tellOfHolder(tx, call, stakeholderId);
}

const NOT_REPORTED = new Set(["seq", "updatedAt", "searchText", "nameKey"]);

/** The API names of the changed fields. Names only: personal data must stay out of the append-only ledger. */
function changedColumns(before: Row<"stakeholders">, after: Row<"stakeholders">): string[] {
  return (Object.keys(after) as (keyof Row<"stakeholders">)[]).filter(
    (name) => !NOT_REPORTED.has(name) && before[name] !== after[name],
  );
}

function walletOf(db: Reader, call: Call, sent: string | null, ownerId: string | null): string | null {
  if (sent === null) return null;
  const walletAddress = checksumAddress(sent);
  const holder = findWalletHolder(db, call.orgId, walletAddress);
  if (holder !== null && holder !== ownerId) {
    throw problem("duplicate-wallet-address", "Another stakeholder uses this wallet address.");
  }
  return walletAddress;
}
