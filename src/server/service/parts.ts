// What all parts of a service are made of: what the outside supplies, how it is reached, and where things are told.

import { printable, printableJson } from "../../kernel/text/text.ts";
import type { TurnLimits } from "../../kernel/threads/turns.ts";
import type { DiskState } from "../../resources/organization/room.ts";
import type { VerifyElsewhere } from "../../safekeeping/verify/runs.ts";
import { isBroken } from "../../storage/database/storage-failure.ts";
import type { JobsTiming } from "../../tokens/jobs/loop.ts";
import type { Config } from "../config.ts";
import type { Pace } from "../http/answers/pace.ts";
import { reachableUrl, urlOf } from "../http/listen.ts";
import { type Log, makeLog } from "../http/log-line.ts";
import type { OpenedData, OpeningPorts } from "./open-data.ts";
import type { WritingParts } from "./writing.ts";

/** What the outside supplies. */
export interface AppPorts extends OpeningPorts {
  /** Takes log text. */
  readonly out: (text: string) => void;
  /** Whether a person reads it as it is written: the log then is for people, where no setting says. */
  readonly isTerminal?: boolean;
  /** Whether what writes has a thread of its own; what the outside supplies for it is then the usual. */
  readonly isThreaded?: boolean;
  /** How patient the background work is, instead of the usual. */
  readonly jobsTiming?: Partial<JobsTiming>;
  /** How many may read much at once and how long others wait, instead of the usual. */
  readonly turns?: Partial<TurnLimits>;
  /** From how many entries on a ledger's views are worked out in threads of their own, instead of the usual. */
  readonly longFromEntries?: number;
  /** How slowly a file may be taken, instead of the usual. */
  readonly slowest?: Pace;
  /** What the disk has left, instead of what the system says. */
  readonly disk?: () => DiskState;
  /** How often the checkpoint file is looked at, instead of each ten minutes. */
  readonly checkpointEveryMs?: number;
  /** Verifies an organization in a process of its own; without it nobody can ask the server to. */
  readonly verify?: VerifyElsewhere;
  /** The words that start this program once more, for files from outside; without it they are read in threads. */
  readonly program?: readonly string[];
  /** Told why the checkpoint file could not be written. */
  readonly onCheckpointTrouble?: (message: string) => void;
}

/** What all parts of a service are made of. */
export interface ServiceParts {
  readonly config: Config;
  readonly ports: AppPorts;
  readonly data: OpenedData;
  readonly address: Address;
  readonly log: Log;
  readonly onFailure: (thrown: unknown) => void;
  readonly onTrouble: WritingParts["onTrouble"];
}

/** How the service is reached. With port 0 that is known only once it listens. */
export class Address {
  readonly #config: Config;
  #port: number;
  #publicUrl: string;

  constructor(config: Config) {
    this.#config = config;
    this.#port = config.port;
    this.#publicUrl = this.#reachable();
  }

  /** Where it listens. */
  get own(): string {
    return urlOf({ host: this.#config.host, port: this.#port });
  }

  /** How others reach it. */
  readonly publicUrl = (): string => this.#publicUrl;

  /** Takes the port on which it listens. */
  listensOn(port: number | undefined): void {
    this.#port = port ?? this.#port;
    this.#publicUrl = this.#reachable();
  }

  #reachable(): string {
    return this.#config.publicUrl ?? reachableUrl({ host: this.#config.host, port: this.#port });
  }
}

/** What is told: requests in the log, failures to whoever ends the process, trouble of the background work in both. */
export function telling(config: Config, { isTerminal, out, onBroken }: AppPorts, { writer }: OpenedData) {
  const form = config.log ?? (isTerminal === true ? "pretty" : "json");
  const { name } = writer.db.sqlite;
  const onFailure = (thrown: unknown) => {
    if (thrown instanceof Error && isBroken(thrown, name)) onBroken(thrown);
  };
  const onTrouble: WritingParts["onTrouble"] = ({ time, message }, thrown) => {
    onFailure(thrown);
    if (form === "json") out(`${printableJson(JSON.stringify({ time, level: "warn", message }))}\n`);
    if (form === "pretty") out(`${printable(`${time} background work waits: ${message}`)}\n`);
  };
  return { log: makeLog(form, out), onFailure, onTrouble };
}

/** Every how many hours backups are made; null where none are. */
export function backupHours({ backupDir, backupEveryHours }: Config): number | null {
  return backupDir === null ? null : backupEveryHours;
}
