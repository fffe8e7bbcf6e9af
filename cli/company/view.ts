// Options and database of `captable cap-table` and `captable holder`: the moment shown, a read-only connection.
import { type Command, Option } from "commander";
import { isCalendarDate } from "../../src/kernel/date.ts";
import { readInstant } from "../../src/kernel/instant.ts";
import { END_OF_TIME, systemRuntime, type Timestamp, toTimestamp, toUtcDate } from "../../src/kernel/runtime.ts";
import type { Warning } from "../../src/kernel/warning.ts";
import { inSnapshot } from "../../src/storage/database/snapshot.ts";
import type { Reader, Row } from "../../src/storage/database/sql.ts";
import { beginningWarnings } from "../../src/views/cap-table/beginning.ts";
import { readView, type View } from "../../src/views/cap-table/view.ts";
import { CommandError, type CommonOptions, configOf, say } from "../command.ts";
import { type CsvGiven, withCsvOptions } from "../csv-options.ts";
import { chooseOrganization, withRecords } from "../data.ts";

/** The options of a command that shows a view. */
export interface ViewOptions extends CommonOptions, CsvGiven {
  readonly org?: string;
  readonly asOf?: string;
  readonly knownAt?: string;
  readonly csv?: boolean;
}

/** Adds the options that say what is shown, and how. */
export function withViewOptions(command: Command): Command {
  const shown = command
    .option("--org <id or name>", "the organization; needed only where there are several")
    .option("--as-of <day>", "as of that day, for instance 2026-01-31 (default: today in UTC)")
    .option("--known-at <time>", "by what was recorded until then, for instance 2026-01-31T12:00:00Z (default: now)")
    .addOption(new Option("--csv", "print CSV for a spreadsheet").conflicts("json"));
  return withCsvOptions(shown);
}

/** What a command is given to show. */
export interface Shown {
  readonly db: Reader;
  readonly organization: Row<"organizations">;
  readonly view: View;
  readonly asOf: string;
  /** The instant that an answer tells. */
  readonly knownAt: Timestamp;
  /** What an answer warns of, which stands on standard error already. */
  readonly warnings: readonly Warning[];
}

/** Reads the view that the options ask for; makes and migrates nothing. Exit 2 for what is no day or time. */
export async function withView<T>(options: ViewOptions, work: (shown: Shown) => T): Promise<T> {
  const nowMs = systemRuntime.nowMs();
  const asOf = options.asOf ?? toUtcDate(nowMs);
  if (!isCalendarDate(asOf)) throw new CommandError(`--as-of ${asOf}: write a day, for instance 2026-01-31`, 2);
  const asked = options.knownAt === undefined ? null : readInstant(options.knownAt);
  if (options.knownAt !== undefined && asked === null) {
    throw new CommandError(`--known-at ${options.knownAt}: write a time, for instance 2026-01-31T12:00:00Z`, 2);
  }
  return await withRecords(configOf(options), (db) =>
    inSnapshot(db, () => {
      const organization = chooseOrganization(db, options.org);
      const view = readView(db, organization.id, { asOf, knownAt: asked ?? END_OF_TIME });
      const warnings = beginningWarnings(db, organization.id, view.moment);
      for (const { detail } of warnings) say(`WARNING: ${detail}`);
      return work({ db, organization, view, asOf, knownAt: asked ?? toTimestamp(nowMs), warnings });
    }),
  );
}

/** What a day and an instant of knowledge are in a heading. */
export function momentInWords({ asOf, knownAt }: Shown, { knownAt: asked }: ViewOptions): string {
  return asked === undefined ? `as of ${asOf}` : `as of ${asOf}, as known at ${knownAt}`;
}
