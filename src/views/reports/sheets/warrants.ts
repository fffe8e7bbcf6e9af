// The sheet Warrants. Pure.
import { formatDecimal } from "../../../kernel/numbers/decimal.ts";
import { considerationOf } from "../paid.ts";
import type { Company } from "../report-company.ts";
import { type Sheet, sheetOf } from "../sheet.ts";
import { less, moneyIn, summed, text } from "../sheet-columns.ts";
import {
  adjusted,
  boardApproval,
  classOf,
  closedOn,
  ending,
  expires,
  from,
  heading,
  howIssued,
  issueDate,
  moneyOf,
  outstandingOf,
  type Registered,
  registered,
  status,
  takenColumn,
  to,
  unvested,
  vested,
} from "./register-sheet.ts";

/** Lays the sheet out. */
export function warrantsSheet(company: Company): Sheet {
  const { money, summedMoney } = moneyIn(company.currency);
  const rows = registered(company, "WARRANT");
  const columns = [
    ...heading("Warrant"),
    text<Registered>("class", "Class", classOf),
    issueDate(),
    money<Registered>("strike", "Exercise price", (each) => moneyOf(each, each.state.exercisePrice)),
    summed<Registered>("issued", "Issued", ({ flow }) => formatDecimal(flow.issued)),
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
    summedMoney<Registered>("consideration", "Consideration", (each) =>
      moneyOf(each, considerationOf(each.flow, each.row)),
    ),
    expires,
    status,
    howIssued,
    from,
    to,
    closedOn,
    vested,
    unvested,
    boardApproval,
    ...ending,
  ];
  const printed = columns.findIndex(({ key }) => key === "how");
  const shape = { key: "warrants", name: "Warrants", isSnapshot: false, frozen: 2, printed, columns };
  return sheetOf({ ...shape, rows: () => rows });
}
