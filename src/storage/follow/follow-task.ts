// Tasks of the follow thread: named changes, each in one transaction of the writer, with plain data, since they are asked
// for in another thread.
import type { Call } from "../../kernel/call.ts";
import type { Timestamp } from "../../kernel/runtime.ts";
import type { Tx } from "../database/sql.ts";

/** The moment of a task, and who it writes as. */
export interface FollowCall {
  readonly nowMs: number;
  readonly at: Timestamp;
  newId(): string;
  /** The call of a logged write in an organization, by the service's own work. */
  callIn(orgId: string): Call;
}

/** A change by the follow thread. `D` and `R`, its input and output, are plain JSON. It may run twice. */
export interface FollowTask<D, R> {
  (tx: Tx, call: FollowCall, data: D): R;
  readonly taskName: string;
}

/** Declares a task. The name is its own among all tasks. */
export function followTask<D, R = void>(
  taskName: string,
  run: (tx: Tx, call: FollowCall, data: D) => R,
): FollowTask<D, R> {
  return Object.assign(run, { taskName });
}

/** A task whose name came from another thread. */
export type AnyFollowTask = FollowTask<never, unknown>;
