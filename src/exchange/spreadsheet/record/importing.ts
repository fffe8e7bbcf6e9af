// The context and the results of an import of rows.

import type { Call } from "../../../kernel/call.ts";
import type { CalendarDate } from "../../../kernel/date.ts";
import type { Tx } from "../../../storage/database/sql.ts";
import type { Names, Recorded, Shown } from "../compare/made.ts";
import type { SheetProblem, SheetProblems } from "../file/cell-problem.ts";
import type { Mapping } from "../mapping/mapping.ts";
import type { UnreadSchedule } from "../mapping/schedule-rows.ts";
import type { Ways } from "../rows/cell-values.ts";
import type { Directory } from "../rows/directory.ts";
import type { EventKeys } from "../rows/event-keys.ts";
import type { Total } from "../rows/stated-totals.ts";
import type { SheetRow } from "../rows/understand.ts";
import type { SplitsThere } from "./splits-before.ts";

/** Counts of the records of a kind by outcome. */
export interface Counts {
  create: number;
  unchanged: number;
  /** Recorded already, with differences from the file in some column. */
  differs: number;
  leftOut: number;
}

/** The options of an import. */
export interface ImportOptions extends Ways {
  readonly existing: "MUST_EQUAL" | "SKIP";
  /** A format by its name; if missing, the file's own. */
  readonly format?: string;
  /** In place of a format. */
  readonly mapping?: Mapping | null;
  /** Whether awards of unsupported kinds are left out, without a problem. */
  readonly skipUnsupported?: boolean;
  /** The date of the file, in place of its own. */
  readonly asOf?: string | null;
  /** Whether warnings count as problems. */
  readonly strict?: boolean;
  /** How unknown vesting schedules are treated: as a problem, or as vested. */
  readonly vesting?: "TERMS" | "AS_VESTED";
  /** The source document of the records. */
  readonly sourceDocumentId?: string | null;
  /** Called at each row; an error that it throws ends the import. */
  readonly pulse?: () => void;
  /** Whether each row is undone by itself if it fails after writing; else that ends the import (`NeedsSavepoint`). */
  readonly usesSavepoints?: boolean;
  /** Names the import in each ledger entry. */
  readonly importId: string;
}

/** The result. */
export interface ImportReport {
  /** The format that the file is in. */
  readonly format: string;
  readonly mode: "FULL" | "OUTSTANDING";
  readonly asOf: string | null;
  readonly rows: number;
  readonly counts: Readonly<Record<string, Counts>>;
  readonly problems: readonly SheetProblem[];
  readonly warnings: readonly SheetProblem[];
  readonly totals: readonly Total[];
  /** How many rows were left out because their securities have nothing left. */
  readonly closed: number;
  /** Vesting schedules that were not understood. */
  readonly schedules: readonly UnreadSchedule[];
  /** The effects of each row. */
  readonly actions: readonly Action[];
  /** SHA-256 of the effects: equal if they are the same. */
  readonly planHash: string;
}

/** The outcome of a row; `id` is that of its record, if there is one by then. */
export interface Action {
  readonly row: SheetRow;
  readonly what: keyof Counts | "problem";
  readonly id: string | null;
  /** The values of its record, read back right after its step, if they differ from its fields. */
  readonly shown?: Shown;
  /** Whether it is left out because nothing is left. */
  readonly isClosed?: boolean;
}

/** The context of an import of rows. */
export interface Importing {
  readonly tx: Tx;
  readonly orgId: string;
  /** A call whose entries name the row that they come from. */
  callOf(place: string, noted?: Readonly<Record<string, string>>): Call;
  readonly options: ImportOptions;
  /** Whether the file has the whole history, or only balances. */
  readonly mode: ImportReport["mode"];
  readonly directory: Directory;
  readonly found: SheetProblems;
  /** Sets the outcome of a row; `id` is that of its record. */
  act(row: SheetRow, what: keyof Counts | "closed", id?: string, recorded?: Recorded): void;
  /** The names of the records. */
  readonly names: Names;
  /** The date of the file, else today. */
  readonly asOf: CalendarDate;
  /** Rows with the number of an earlier row, and the place of that row. */
  readonly twice: ReadonlyMap<SheetRow, string>;
  /** Rows of holders whom an earlier row lists, with that row. */
  readonly holdersTwice: ReadonlyMap<SheetRow, SheetRow>;
  /** Records that wrong rows would have made, as `kind name`: that they are missing is not a fault of other rows. */
  readonly unmade: Set<string>;
  /** The splits that were recorded before. */
  readonly splits: SplitsThere;
  /** The keys of the file's events. */
  readonly eventKeys: EventKeys;
}
