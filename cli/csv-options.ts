// CSV options of commands: separator and decimal sign, for spreadsheets of countries that write 1,5.
import { type Command, Option } from "commander";
import {
  type CsvOptions,
  DECIMAL_SIGNS,
  type DecimalSign,
  SEPARATORS,
  type Separator,
} from "../src/kernel/files/csv.ts";

/** What a command is given of it. */
export interface CsvGiven {
  readonly separator: Separator;
  readonly decimal: DecimalSign;
}

/** Adds the options that say what parts fields, and what parts the places of figures. */
export function withCsvOptions(command: Command): Command {
  return command
    .addOption(
      new Option("--separator <sign>", "what stands between fields of CSV")
        .choices(Object.keys(SEPARATORS))
        .default("COMMA"),
    )
    .addOption(
      new Option("--decimal <sign>", "what parts the places of a figure in CSV")
        .choices(Object.keys(DECIMAL_SIGNS))
        .default("POINT"),
    );
}

/** How CSV is written; with its mark and guard unless something else is said. */
export function csvOptionsOf(
  { separator, decimal }: CsvGiven,
  { bom = true, guard = true }: Partial<Pick<CsvOptions, "bom" | "guard">> = {},
): CsvOptions {
  return { bom, guard, separator, decimal };
}
