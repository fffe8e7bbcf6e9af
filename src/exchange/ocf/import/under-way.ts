// The progress of each organization's import since the program began: in memory only, for clients that poll it.
import type { Timestamp } from "../../../kernel/runtime.ts";
import type { ImportReport } from "./report.ts";

/** How far an import is. */
export const IMPORT_STATES = ["IDLE", "RUNNING", "DONE", "FAILED"] as const;

/** An import, under way or over. */
export interface ImportState {
  readonly state: (typeof IMPORT_STATES)[number];
  /** Null until the package has been read, and where there was no import. */
  readonly objectsTotal: number | null;
  /** How many of them have been dealt with, taken in or not. */
  readonly objectsDone: number;
  readonly startedAt: Timestamp | null;
  readonly finishedAt: Timestamp | null;
  /** Of an import that is `DONE`; else null. */
  readonly report: ImportReport | null;
}

/** News of an import: of which organization, and which of its imports. */
export interface ImportNews {
  readonly orgId: string;
  /** Later imports have later ids. */
  readonly importId: string;
  readonly state: ImportState;
}

/** Receives the progress of imports. */
export type TellImport = (news: ImportNews) => void;

const IDLE: ImportState = {
  state: "IDLE",
  objectsTotal: null,
  objectsDone: 0,
  startedAt: null,
  finishedAt: null,
  report: null,
};

/** Remembers the last import of each organization. */
export class ImportsUnderWay {
  readonly #last = new Map<string, ImportNews>();

  /** The organization's import that began last. */
  of(orgId: string): ImportState {
    return this.#last.get(orgId)?.state ?? IDLE;
  }

  /** Takes news; those of an earlier import than the last are ignored. */
  readonly tell: TellImport = (news) => {
    const last = this.#last.get(news.orgId);
    if (last === undefined || news.importId >= last.importId) this.#last.set(news.orgId, news);
  };
}
