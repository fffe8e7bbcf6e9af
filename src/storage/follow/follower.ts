// Followers: work of the follow thread, which reads what was recorded, talks to the outside, and writes by tasks. Each has
// its own place in the feed or its own queue, and handles its own failures.
import type { Runtime } from "../../kernel/runtime.ts";
import type { AllowedAddresses } from "../../kernel/text/network-address.ts";
import type { Reader } from "../database/sql.ts";
import type { AnyFollowTask, FollowTask } from "./follow-task.ts";

/** The settings that followers know; the service's have them all. */
export interface FollowSettings {
  readonly dataDir: string;
  /** The folder for scheduled backups; null: none are made. */
  readonly backupDir: string | null;
  readonly backupEveryHours: number;
  /** The time stamp authority and the witnesses of checkpoints; null without. */
  readonly tsaUrl: string | null;
  readonly tsaCaFile: string | null;
  readonly tsaEveryHours: number;
  readonly witnessFile: string | null;
  /** The mail server; null: no mail is sent. */
  readonly mailHost: string | null;
  readonly mailFrom: string | null;
  readonly mailPort: number;
  readonly mailTls: "starttls" | "tls" | "none";
  readonly mailUser: string | null;
  readonly mailPasswordFile: string | null;
  readonly mailCaFile: string | null;
  /** Where webhooks may go. */
  readonly webhookAllow: AllowedAddresses;
}

/** What a follower works with. */
export interface FollowGround {
  /** The thread's own connection. */
  readonly db: Reader;
  readonly settings: FollowSettings;
  readonly runtime: Runtime;
  /** Has a task carried out by the writer; settles when it is on disk. Rejects as the task throws. */
  write<D, R>(task: FollowTask<D, R>, data: D): Promise<R>;
  /** The record at a path of the API, as an `ADMIN` of the organization reads it; null for no such record. */
  read(orgId: string, path: string): Promise<unknown>;
  /** Waits while requests write, up to so many milliseconds: called before each piece of work that can wait. */
  rest(msMax: number): Promise<void>;
  /** Logs what the work waits for; no secret, no address of the outside. */
  trouble(message: string, thrown: unknown): void;
  /** Tells figures for `/metrics`, by name; one that is called `…Total` counts from when the thread began. */
  tellFigures(figures: Readonly<Record<string, number>>): void;
}

/** A follower at work. */
export interface Following {
  /** Called after commits, at most every tenth of a second. */
  wake(): void;
  /** Begins nothing more, and resolves once what is in hand is done and noted; the thread waits 5 s at most. */
  stop(): Promise<void>;
}

/** A follower. */
export interface Follower {
  readonly name: string;
  /** Whether there is something for it. The thread of the requests asks too, at most once a second. */
  isWanted(db: Reader, settings: FollowSettings): boolean;
  /** Begins it, with what it needs loaded only then. */
  begin(ground: FollowGround): Promise<Following>;
  /** The tasks that it asks for. */
  readonly tasks: readonly AnyFollowTask[];
}
