// Wallets for tokens: the one that the holder named, else an address assigned once from the service's own seed. The
// issuer controls all tokens, so the key of such an address is never needed.

import { present } from "../../kernel/assert.ts";
import type { Call } from "../../kernel/call.ts";
import type { Address } from "../../kernel/text/wallet-address.ts";
import { findAny } from "../../storage/database/records.ts";
import { findSetting, storeSetting } from "../../storage/database/settings.ts";
import type { Reader, Tx } from "../../storage/database/sql.ts";
import { custodialAddress } from "../chain/wallets.ts";
import { setCustody } from "./stock-store.ts";

const XPUB = "wallets.xpub";
const NEXT_INDEX = "wallets.nextIndex";

/** Whether the seed's extended public key is stored already, so that the seed need not be read. */
export function knowsWallets(db: Reader): boolean {
  return findSetting(db, XPUB) !== null;
}

/** Stores the extended public key of the holders' seed. */
export function keepWallets(tx: Tx, xpub: string): void {
  storeSetting(tx, XPUB, xpub);
}

/** The address of a holder's tokens; assigns one if the holder has no address. The seed must be known. */
export function holderAddress(tx: Tx, call: Call, stakeholderId: string): Address {
  const holder = present(findAny(tx, "stakeholders", call.orgId, stakeholderId), "the holder");
  const known = holder.walletAddress ?? holder.custodialAddress;
  if (known !== null) return known as Address;
  const index = Number(findSetting(tx, NEXT_INDEX) ?? "0");
  storeSetting(tx, NEXT_INDEX, String(index + 1));
  const address = custodialAddress(present(findSetting(tx, XPUB), "the extended public key"), index);
  setCustody(tx, call, stakeholderId, { custodialIndex: index, custodialAddress: address });
  return address;
}
