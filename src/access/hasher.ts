// Hashes passwords with argon2id, outside the thread that answers: two at a time, because each takes 64 MiB and a core.
import { Problem } from "../kernel/problem.ts";

/** What a hash costs; a stored one that cost less is made again when its password is next given. */
const COST = { algorithm: "argon2id", memoryCost: 65536, timeCost: 2 } as const;
const CURRENT = `$argon2id$v=19$m=${COST.memoryCost},t=${COST.timeCost},`;
/** Of a password that nobody has: what an unknown e-mail address is checked against, so that it costs the same. */
const OF_NOBODY = `${CURRENT}p=1$HpUTtrtOfyTb2tyLvhC4xlPPQfbUYmUzxYr+G5ZeTMI$tIoO8Xj0HgwRdZh13rlAFMOzdu1VTHIYh8/q9KARVaQ`;
const AT_ONCE = 2;
const WAITING_MAX = 20;
const RETRY_SECONDS = 2;

/** Hashes and checks passwords; beyond twenty that wait, refuses with `503`. */
export class PasswordHasher {
  #running = 0;
  readonly #waiting: (() => void)[] = [];

  /** The hash to be kept of a password. */
  hash(password: string): Promise<string> {
    return this.#inTurn(() => Bun.password.hash(password, COST));
  }

  /** Whether a password is the one that `hash` was made of; null: false, after as long. */
  async verify(password: string, hash: string | null): Promise<boolean> {
    // An empty one throws, and is nobody's.
    const isRight = await this.#inTurn(() => Bun.password.verify(password || " ", hash ?? OF_NOBODY));
    return isRight && hash !== null;
  }

  /** Whether a hash is to be made again, because it cost less than one does today. */
  isOutdated(hash: string): boolean {
    return !hash.startsWith(CURRENT);
  }

  async #inTurn<T>(work: () => Promise<T>): Promise<T> {
    if (this.#running >= AT_ONCE) {
      if (this.#waiting.length >= WAITING_MAX) throw tooBusy();
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    } else this.#running++;
    try {
      return await work();
    } finally {
      const next = this.#waiting.shift();
      if (next) next();
      else this.#running--;
    }
  }
}

function tooBusy(): Problem {
  return new Problem("unavailable", "Too many sign-ins wait to be looked at.", undefined, {
    retryAfterSeconds: RETRY_SECONDS,
  });
}
