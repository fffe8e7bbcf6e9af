// The sheet Option ledger: every grant, its vested part and its later history. Pure.
import { formatDecimal } from "../../../kernel/numbers/decimal.ts";
import type { Company } from "../report-company.ts";
import { type Sheet, sheetOf } from "../sheet.ts";
import { less, moneyIn, summed, text } from "../sheet-columns.ts";
import {
  adjusted,
  boardApproval,
  classOf,
  closedOn,
  ending,
  exercisableOf,
  expires,
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
export function optionLedgerSheet(company: Company): Sheet {
  const { money } = moneyIn(company.currency);
  const rows = registered(company, "STOCK_OPTION");
  const columns = [
    ...heading("Grant"),
    text<Registered>("plan", "Plan", planOf),
    text<Registered>("type", "Type", ({ row }) => row?.optionType),
    text<Registered>("class", "Class", classOf),
    issueDate("Grant date"),
    money<Registered>("strike", "Exercise price", (each) => moneyOf(each, each.state.exercisePrice)),
    summed<Registered>("issued", "Granted", ({ flow }) => formatDecimal(flow.issued)),
    adjusted,
    takenColumn("transferred", "Transferred"),
    takenColumn("exercised", "Exercised"),
    takenColumn("cancelled", "Cancelled"),
    summed<Registered>(
      "outstanding",
      "Outstanding",
      (each) => formatDecimal(outstandingOf(each)),
      less(["issued", "adjusted"], "transferred", "exercised", "cancelled"),
    ),
    vested,
    unvested,
    summed<Registered>("exercisable", "Exercisable", (each) => formatDecimal(exercisableOf(each))),
    expires,
    status,
    summed<Registered>("returned", "Returned to pool", ({ flow }) => formatDecimal(flow.returned)),
    howIssued,
    from,
    to,
    closedOn,
    ...vestingColumns,
    boardApproval,
    ...ending,
  ];
  const printed = columns.findIndex(({ key }) => key === "returned");
  return sheetOf({
    key: "option-ledger",
    name: "Option ledger",
    isSnapshot: false,
    frozen: 2,
    printed,
    columns,
    rows: () => rows,
  });
}
