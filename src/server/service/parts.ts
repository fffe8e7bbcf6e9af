// Common parts of a service: its ports to the outside, its address, and its reports of failures.

import { printable, printableJson } from "../../kernel/text/text.ts";
import type { StartThread } from "../../kernel/threads/thread.ts";
import type { TurnLimits } from "../../kernel/threads/turns.ts";
import type { DiskState } from "../../resources/organization/room.ts";
import type { VerifyElsewhere } from "../../safekeeping/verify/runs.ts";
import { isBroken } from "../../storage/database/storage-failure.ts";
import type { Follower } from "../../storage/follow/follower.ts";
import type { JobsTiming } from "../../tokens/jobs/loop.ts";
import type { Config } from "../config.ts";
import type { Pace } from "../http/answers/pace.ts";
import { reachableUrl, urlOf } from "../http/listen.ts";
import { type Log, makeLog } from "../http/log-line.ts";
import type { OpenedData, OpeningPorts } from "./open-data.ts";
import type { WritingParts } from "./writing.ts";

/** The ports to the outside. */
export interface AppPorts extends OpeningPorts {
  /** Takes log text. */
  readonly out: (text: string) => void;
  /**
   * Whether a person reads the log as it is written: it then is formatted for people, unless a setting says otherwise.
   */
  readonly isTerminal?: boolean;
  /** Whether writes have a thread of their own; the ports that it needs are then the usual ones. */
  readonly isThreaded?: boolean;
  /** The delays of the background work, instead of the usual. */
  readonly jobsTiming?: Partial<JobsTiming>;
  /** How many long reads may run at once and how long others wait, instead of the usual. */
  readonly turns?: Partial<TurnLimits>;
  /** The number of entries from which a ledger's views are computed in threads of their own, instead of the usual. */
  readonly longFromEntries?: number;
  /** Starts what computes long reads, instead of a thread each. */
  readonly startReading?: StartThread;
  /** Starts what does imports, instead of a thread. */
  readonly startImporting?: StartThread;
  /** Starts what follows, instead of a thread. */
  readonly startFollowing?: StartThread;
  /** The followers, instead of the usual. */
  readonly followers?: readonly Follower[];
  /** How long the follow thread waits after a failure, instead of the usual. */
  readonly followAgainMs?: number;
  /** The slowest download, instead of the usual. */
  readonly slowest?: Pace;
  /** The disk's free space, instead of what the system says. */
  readonly disk?: () => DiskState;
  /** How often the checkpoint file is checked, instead of every ten minutes. */
  readonly checkpointEveryMs?: number;
  /** Verifies an organization in a process of its own; without it the server refuses to. */
  readonly verify?: VerifyElsewhere;
  /** The command that starts this program once more, for uploaded files; without it threads read them. */
  readonly program?: readonly string[];
  /** Called with the reason why the checkpoint file could not be written. */
  readonly onCheckpointTrouble?: (message: string) => void;
}

/** What all parts of a service share. */
export interface ServiceParts {
  readonly config: Config;
  readonly ports: AppPorts;
  readonly data: OpenedData;
  readonly address: Address;
  readonly log: Log;
  readonly onFailure: (thrown: unknown) => void;
  readonly onTrouble: WritingParts["onTrouble"];
}

/** The addresses of the service. With port 0 they are known only once it listens. */
export class Address {
  readonly #config: Config;
  #port: number;
  #publicUrl: string;

  constructor(config: Config) {
    this.#config = config;
    this.#port = config.port;
    this.#publicUrl = this.#reachable();
  }

  /** The address that it listens on. */
  get own(): string {
    return urlOf({ host: this.#config.host, port: this.#port });
  }

  /** The URL that clients use. */
  readonly publicUrl = (): string => this.#publicUrl;

  /** Sets the port on which it listens. */
  listensOn(port: number | undefined): void {
    this.#port = port ?? this.#port;
    this.#publicUrl = this.#reachable();
  }

  #reachable(): string {
    return this.#config.publicUrl ?? reachableUrl({ host: this.#config.host, port: this.#port });
  }
}

/** Reports: requests to the log, failures to the owner of the process, trouble of the background work to both. */
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
