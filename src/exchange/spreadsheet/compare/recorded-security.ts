// A security's recorded values, by the fields of a row: every column of a file that is imported again is compared with
// them.

import { formatDecimal, multiply, parseDecimal } from "../../../kernel/numbers/decimal.ts";
import { sharesIn } from "../../../ledger/vested/vesting-account.ts";
import { loadVesting } from "../../../ledger/vested/vesting-store.ts";
import { vestedBy } from "../../../ledger/vesting/parcels.ts";
import { openOf } from "../../../ledger/vesting/schedule.ts";
import { findAny } from "../../../storage/database/records.ts";
import type { Row } from "../../../storage/database/sql.ts";
import { idsText } from "../codec/record-columns.ts";
import { recordedSecurity } from "../codec/security-columns.ts";
import { NOTED } from "../record/balance.ts";
import { isNear } from "../record/balance-vesting.ts";
import type { Importing } from "../record/importing.ts";
import { headerOf, placeIn, said } from "../rows/read-field.ts";
import type { SheetRow } from "../rows/understand.ts";
import { findMaking, type MadeBy } from "../store.ts";
import { type Recorded, tellOthers } from "./differing.ts";

type Security = Row<"securities">;

/** Warns of each column in which a row differs from its recorded security; returns whether there is any. */
export function tellOtherColumns(importing: Importing, row: SheetRow, id: string): boolean {
  const { tx, orgId } = importing;
  const security = findAny(tx, "securities", orgId, id);
  if (security === null) return false;
  const made = findMaking(tx, { orgId, id, originId: security.originSecurityId });
  const isOther = tellOthers(importing, row, recordedOf(importing, security, made));
  const isOtherBalance = tellOtherBalance(importing, row, made);
  return tellOtherVested(importing, row, security) || isOther || isOtherBalance;
}

/** The fields that are compared first if a number exists already. */
const COMPARED_FIRST: ReadonlySet<string> = new Set([
  ...["certificate", "holder", "class", "plan", "issueDate", "quantity", "price", "exercisePrice"],
]);

function recordedOf({ tx, orgId, names }: Importing, security: Security, made: MadeBy | null): Recorded {
  const find = <T extends "stakeholders" | "securities">(table: T, id: string | null) =>
    id === null ? null : findAny(tx, table, orgId, id);
  const holder = find("stakeholders", security.stakeholderId);
  const columns = Object.entries(recordedSecurity(security, names)).filter(([field]) => !COMPARED_FIRST.has(field));
  return {
    ...Object.fromEntries(columns.map(([field, said]) => [field, field === "terms" ? said?.text : said?.means])),
    legends: idsText(security.stockLegendIds),
    holderEmail: holder?.email ?? null,
    holderType: holder?.type ?? null,
    consideration: considerationOf(security, made),
    how: made?.how ?? "ISSUED",
    from: find("securities", security.originSecurityId)?.certificateId ?? null,
    ...(made !== null && made.how !== "ISSUED" ? { fromQuantity: made.taken } : {}),
  };
}

/** The payment: as it was stated, else by price and quantity. */
function considerationOf({ purchasePrice, pricePerShare }: Security, made: MadeBy | null): string | null {
  if (purchasePrice !== null) return purchasePrice;
  if (pricePerShare === null || made?.taken == null || made.how !== "ISSUED") return null;
  return formatDecimal(multiply(parseDecimal(pricePerShare), parseDecimal(made.importedIssued ?? made.taken)));
}

/** The quantity issued first and the later endings, of a security that was imported with its rest. */
function tellOtherBalance({ found }: Importing, row: SheetRow, made: MadeBy | null): boolean {
  if (made === null || (row.issued ?? null) === null) return false;
  const { balance = null } = row;
  const pairs = [
    ["issued", made.importedIssued ?? made.taken, row.issued ?? "0"],
    ...Object.entries(NOTED).map(([way, member]) => [
      way,
      made[member] ?? "0",
      balance === null ? "0" : balance[way as keyof typeof NOTED],
    ]),
  ] as const;
  const others = pairs.filter(([, was, now]) => was !== null && parseDecimal(was ?? "0") !== parseDecimal(now ?? "0"));
  for (const [what, was, now] of others) {
    const detail = `${now} ${what}, and ${was} ${what} are recorded`;
    const fix = "The record is not changed. Edit it if the file is right.";
    found.warning("differs", placeIn(row, "quantity"), detail, fix);
  }
  return others.length > 0;
}

function tellOtherVested({ tx, orgId, asOf, found }: Importing, row: SheetRow, security: Security): boolean {
  const stated = said(row, "vested");
  if (stated === undefined || row.isAsVested === true) return false;
  const shares = sharesIn(loadVesting(tx, orgId, security));
  const vested = vestedBy(openOf(shares), asOf);
  const exercised = parseDecimal(row.balance?.exercised ?? "0");
  if ([vested, vested + exercised].some((each) => isNear(each, parseDecimal(stated)))) return false;
  const detail = `${headerOf(row, "vested")} says ${stated}, and ${formatDecimal(vested)} have vested by ${asOf}`;
  found.warning("differs", placeIn(row, "vested"), detail, "Correct the file, or the record.");
  return true;
}
