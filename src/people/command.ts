// Commands: changes of accounts, each in one transaction. Routes ask for them, and the writer executes them by name.
import type { Tx } from "../storage/database/sql.ts";
import type { AccountCall } from "./call.ts";

/** A change of accounts. `D` and `R`, its input and output, are plain data, since it may run in another thread. */
export interface Command<D, R> {
  (tx: Tx, call: AccountCall, data: D): R;
  readonly commandName: string;
}

/** Declares a command. The name is its own in `commands.ts`; a bundler may change that of a function. */
export function command<D, R>(commandName: string, run: (tx: Tx, call: AccountCall, data: D) => R): Command<D, R> {
  return Object.assign(run, { commandName });
}

/** A command whose name came from another thread. */
export type AnyCommand = Command<never, unknown>;
