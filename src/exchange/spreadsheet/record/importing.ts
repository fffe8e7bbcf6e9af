// What importing rows goes on from, and what comes of it.

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

/** How often something happens with the records of a kind. */
export interface Counts {
  create: number;
  unchanged: number;
  /** There already, and not in every column as the file has it. */
  differs: number;
  leftOut: number;
}

/** How a file is to be imported. */
export interface ImportOptions extends Ways {
  readonly existing: "MUST_EQUAL" | "SKIP";
  /** A format by its name; left out, the one that the file is in. */
  readonly format?: string;
  /** In place of a format. */
  readonly mapping?: Mapping | null;
  /** Whether awards of kinds that are not kept are left out, and no problem. */
  readonly skipUnsupported?: boolean;
  /** The day that the file is of, in place of what it says. */
  readonly asOf?: string | null;
  /** Whether warnings count as problems. */
  readonly strict?: boolean;
  /** What becomes of securities whose schedule is not understood: a problem, or vested. */
  readonly vesting?: "TERMS" | "AS_VESTED";
  /** The document that the records are from. */
  readonly sourceDocumentId?: string | null;
  /** Called at each row; what it throws ends the import. */
  readonly pulse?: () => void;
  /** Whether each row is undone by itself where it fails after writing; else that ends the import (`NeedsSavepoint`). */
  readonly usesSavepoints?: boolean;
  /** Names the import in each ledger entry. */
  readonly importId: string;
}

/** What came of it. */
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
  /** How many rows were left out because nothing is left of what they have. */
  readonly closed: number;
  /** Vesting schedules that were not understood. */
  readonly schedules: readonly UnreadSchedule[];
  /** What would be done with each row. */
  readonly actions: readonly Action[];
  /** SHA-256 of what would be done: equal where it is the same. */
  readonly planHash: string;
}

/** What is done with a row of the file; `id` is of what is recorded, where there is one by then. */
export interface Action {
  readonly row: SheetRow;
  readonly what: keyof Counts | "problem";
  readonly id: string | null;
  /** What was made of it, read back right after its step, where that is not what its fields say. */
  readonly shown?: Shown;
  /** Whether it is left out because nothing is left of what it has. */
  readonly isClosed?: boolean;
}

/** What importing rows goes on from. */
export interface Importing {
  readonly tx: Tx;
  readonly orgId: string;
  /** A call whose entries name the row that they come from. */
  callOf(place: string, noted?: Readonly<Record<string, string>>): Call;
  readonly options: ImportOptions;
  /** Whether the file has the whole history, or what is left. */
  readonly mode: ImportReport["mode"];
  readonly directory: Directory;
  readonly found: SheetProblems;
  /** Notes what is done with a row; `id` is of what is recorded. */
  act(row: SheetRow, what: keyof Counts | "closed", id?: string, recorded?: Recorded): void;
  /** The names of what is recorded. */
  readonly names: Names;
  /** The day that the file is of, else today. */
  readonly asOf: CalendarDate;
  /** The rows whose number another row before them has, and where that one stands. */
  readonly twice: ReadonlyMap<SheetRow, string>;
  /** The rows of holders whom another row before them lists, by that one. */
  readonly holdersTwice: ReadonlyMap<SheetRow, SheetRow>;
  /** What rows that are wrong would have made, as `kind name`: that it is not there is no other fault. */
  readonly unmade: Set<string>;
  /** The splits that were recorded before. */
  readonly splits: SplitsThere;
  /** What the events of the file are known by. */
  readonly eventKeys: EventKeys;
}
