// Assembles the services behind the routes of people.

import type { Runtime } from "../kernel/runtime.ts";
import { accountsKeyFile } from "../storage/data-dir/names.ts";
import type { Reader } from "../storage/database/sql.ts";
import type { Desk } from "./access-route.ts";
import type { Visitor } from "./call.ts";
import { Failures } from "./sign-in/failures.ts";
import { PasswordHasher } from "./sign-in/hasher.ts";
import { Seal } from "./sign-in/seal.ts";
import { ShortMemory } from "./sign-in/short-memory.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
const ENROLMENT_MS = 10 * MINUTE_MS;
const CHALLENGE_MS = 5 * MINUTE_MS;
const HANDSHAKE_MS = 10 * MINUTE_MS;

/** What the desk is made from. */
export interface DeskParts {
  readonly db: Reader;
  readonly runtime: Runtime;
  /** Executes commands; the body of an answer is a command's result as JSON. */
  readonly changes: {
    execute(task: { readonly name: string; readonly data: unknown; readonly visitor: Visitor }): Promise<{
      readonly body: string;
    }>;
  };
  readonly dataDir: string;
  readonly publicUrl: () => string;
  readonly instance: Desk["instance"];
  readonly provider: Desk["provider"];
  readonly checkpoint: Desk["checkpoint"];
  readonly sessionIdleMinutes: number;
  readonly sessionHours: number;
}

/** Makes the desk, except for the sessions, which the edge finds. */
export function makeDesk(parts: DeskParts): Omit<Desk, "sessions"> {
  const { db, runtime, changes, dataDir, publicUrl, instance, provider, checkpoint } = parts;
  const { sessionIdleMinutes, sessionHours } = parts;
  return {
    ...{ db, runtime, dataDir, publicUrl, instance, provider, checkpoint },
    hasher: new PasswordHasher(),
    failures: new Failures(),
    seal: new Seal(accountsKeyFile(dataDir)),
    enrolments: new ShortMemory(ENROLMENT_MS),
    challenges: new ShortMemory(CHALLENGE_MS),
    handshakes: new ShortMemory(HANDSHAKE_MS),
    sessionIdleMs: sessionIdleMinutes * MINUTE_MS,
    sessionMs: sessionHours * HOUR_MS,
    async execute({ commandName: name }, data, visitor) {
      return JSON.parse((await changes.execute({ name, data, visitor })).body);
    },
  };
}
