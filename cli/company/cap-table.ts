// captable cap-table: who owns what, as a table that fits the terminal, CSV, or the API's JSON. Reads only.
import { type Command, Option } from "commander";
import { parseDecimal, ZERO } from "../../src/kernel/numbers/decimal.ts";
import { counted } from "../../src/kernel/text/text.ts";
import { NO_HOLDER } from "../../src/views/cap-table/layout/by-holder.ts";
import { classRecords, holderRecords } from "../../src/views/cap-table/layout/layout-csv.ts";
import { ratioLine } from "../../src/views/cap-table/layout/ratios.ts";
import { type CapTable, layOutTable } from "../../src/views/cap-table/table.ts";
import { grouped, terminalWidth, toCsv } from "../columns.ts";
import { newCommand, print, printText, withDataDir, withExamples } from "../command.ts";
import { csvOptionsOf } from "../csv-options.ts";
import { byClass, byHolder } from "./cap-table-screen.ts";
import { momentInWords, type Shown, type ViewOptions, withView, withViewOptions } from "./view.ts";

interface CapTableOptions extends ViewOptions {
  readonly by: "holder" | "class";
}

/** Declares `captable cap-table`. */
export function capTableCommand(): Command {
  const command = newCommand("cap-table", "Show who owns what: holders or classes, options, warrants, the pool.");
  const by = new Option("--by <rows>", "a row for each holder or each class").choices(["holder", "class"]);
  withDataDir(withViewOptions(command.addOption(by.default("holder"))));
  withExamples(
    command,
    "captable cap-table",
    "captable cap-table --by class --as-of 2026-01-31",
    "captable cap-table --csv > cap-table.csv",
  );
  return command.action((options: CapTableOptions) =>
    withView(options, (shown) => {
      const table = layOutTable(shown.view);
      const source = { table, ranks: shown.view.names.classes };
      const isByClass = options.by === "class";
      if (options.csv) {
        printText(options, null, toCsv((isByClass ? classRecords : holderRecords)(source), csvOptionsOf(options)));
        return;
      }
      const heading = `${shown.organization.legalName}, cap table ${momentInWords(shown, options)}`;
      const lines = (isByClass ? byClass : byHolder)(source, terminalWidth());
      const ratios = ratioLine(table.shareClasses);
      const below = [...(ratios === null ? [] : ["", `${ratios}.`]), ...convertiblesIn(table, shown)];
      const json = { ...table, knownAt: shown.knownAt, warnings: shown.warnings };
      print(options, json, [heading, "", ...lines, ...below]);
    }),
  );
}

/** The most convertibles that are named. */
const NAMED_MAX = 5;

/** Convertibles, which count as no shares: holder and principal. */
function convertiblesIn({ convertibles }: CapTable, { view: { names } }: Shown): readonly string[] {
  const open = convertibles.filter(({ quantity }) => parseDecimal(quantity) > ZERO);
  if (open.length === 0) return [];
  const named = open.slice(0, NAMED_MAX).map(({ stakeholderId, quantity }) => {
    const holder = names.stakeholders.find(({ id }) => id === stakeholderId)?.displayName ?? NO_HOLDER;
    return `${holder} ${grouped(quantity)}`;
  });
  const more = open.length > NAMED_MAX ? [`and ${open.length - NAMED_MAX} more`] : [];
  return [
    "",
    `Not counted until converted: ${counted(open.length, "convertible")}: ${[...named, ...more].join("; ")}.`,
  ];
}
