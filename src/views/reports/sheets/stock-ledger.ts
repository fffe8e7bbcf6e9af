// The sheet Stock ledger: every issued certificate, and its later history. Pure.
import { formatDecimal } from "../../../kernel/numbers/decimal.ts";
import { considerationOf } from "../paid.ts";
import type { Company } from "../report-company.ts";
import { type Sheet, sheetOf } from "../sheet.ts";
import { date, less, moneyIn, summed, text } from "../sheet-columns.ts";
import {
  adjusted,
  boardApproval,
  classOf,
  closedOn,
  ending,
  from,
  heading,
  howIssued,
  issueDate,
  moneyOf,
  outstandingOf,
  planOf,
  type Registered,
  registered,
  status,
  takenColumn,
  to,
  unvested,
  vested,
  vestingColumns,
} from "./register-sheet.ts";

/** Lays the sheet out. */
export function stockLedgerSheet(company: Company): Sheet {
  const { money, summedMoney } = moneyIn(company.currency);
  const rows = registered(company, "STOCK");
  const columns = [
    ...heading("Certificate"),
    text<Registered>("class", "Class", classOf),
    issueDate(),
    howIssued,
    from,
    summed<Registered>("issued", "Issued", ({ flow }) => formatDecimal(flow.issued)),
    adjusted,
    takenColumn("transferred", "Transferred"),
    takenColumn("converted", "Converted"),
    takenColumn("repurchased", "Repurchased"),
    takenColumn("cancelled", "Cancelled"),
    summed<Registered>(
      "outstanding",
      "Outstanding",
      (each) => formatDecimal(outstandingOf(each)),
      less(["issued", "adjusted"], "transferred", "converted", "repurchased", "cancelled"),
    ),
    money<Registered>("price", "Price per share", (each) => moneyOf(each, each.flow.price)),
    summedMoney<Registered>("consideration", "Consideration", (each) =>
      moneyOf(each, considerationOf(each.flow, each.row)),
    ),
    status,
    closedOn,
    to,
    text<Registered>("plan", "Plan", planOf),
    vested,
    unvested,
    ...vestingColumns,
    boardApproval,
    date<Registered>("holders", "Stockholder approval", ({ row }) => row?.stockholderApprovalDate),
    text<Registered>("legends", "Legends", legendsOf),
    ...ending,
  ];
  const printed = columns.findIndex(({ key }) => key === "to");
  return sheetOf({
    key: "stock-ledger",
    name: "Stock ledger",
    isSnapshot: false,
    frozen: 2,
    printed,
    columns,
    rows: () => rows,
  });
}

function legendsOf({ company, row }: Registered): string | null {
  const { stockLegendIds = null } = row ?? {};
  if (stockLegendIds === null || stockLegendIds === "[]") return null;
  const ids: readonly string[] = JSON.parse(stockLegendIds);
  return ids.map((id) => company.legends.get(id)?.name ?? id).join("; ") || null;
}
