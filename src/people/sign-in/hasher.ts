// Password hashing with argon2id, outside the thread that answers: two at a time, because each takes 64 MiB and a core.
// The queue serves address by address, so that a client that tries many passwords delays no other's sign-in.

import { type Asker, Round } from "../../kernel/fair-queue.ts";
import { isLoopbackAddress } from "../../kernel/loopback.ts";
import { Problem, type ProblemSlug } from "../../kernel/problem.ts";

/** The cost of a hash; a stored one that cost less is made again when its password is next given. */
const COST = { algorithm: "argon2id", memoryCost: 65536, timeCost: 2 } as const;
const CURRENT = `$argon2id$v=19$m=${COST.memoryCost},t=${COST.timeCost},`;
/** The hash of a random password: an unknown e-mail address is checked against it, so that it costs the same. */
const OF_NOBODY = `${CURRENT}p=1$HpUTtrtOfyTb2tyLvhC4xlPPQfbUYmUzxYr+G5ZeTMI$tIoO8Xj0HgwRdZh13rlAFMOzdu1VTHIYh8/q9KARVaQ`;
const AT_ONCE = 2;
const WAITING_MAX = 32;
const WAITING_OF_ADDRESS = 8;
const RETRY_SECONDS = 2;

/** Hashes and checks passwords, two at a time; both reject as {@link HashLine.run}. */
export class PasswordHasher {
  readonly #line = new HashLine();

  /** The hash to store of a password that came from `address`. */
  hash(password: string, address: string): Promise<string> {
    return this.#line.run(address, () => Bun.password.hash(password, COST));
  }

  /** Whether a password matches `hash`; null: false, after as long. */
  async verify(password: string, hash: string | null, address: string): Promise<boolean> {
    // An empty one throws, and belongs to no account.
    const isRight = await this.#line.run(address, () => Bun.password.verify(password || " ", hash ?? OF_NOBODY));
    return isRight && hash !== null;
  }

  /** Whether a hash must be made again, because it cost less than the current cost. */
  isOutdated(hash: string): boolean {
    return !hash.startsWith(CURRENT);
  }
}

interface Waiting extends Asker {
  readonly begin: () => void;
}

/** A queue of work of which two items run at a time, served round robin by address. */
export class HashLine {
  readonly #waiting = new Round<Waiting>();
  #running = 0;
  #length = 0;

  /**
   * Does the work in its turn. Rejects with `503 unavailable` if thirty-two wait, and with `429 rate-limited` if eight
   * of the address do; the loopback address has no such limit, since a proxy or the owner uses it.
   */
  async run<T>(address: string, work: () => Promise<T>): Promise<T> {
    if (this.#running >= AT_ONCE) await this.#wait(address);
    else this.#running++;
    try {
      return await work();
    } finally {
      const next = this.#waiting.next(() => true);
      if (next === null) this.#running--;
      else {
        this.#length--;
        next.begin();
      }
    }
  }

  #wait(address: string): Promise<void> {
    const ofAddress = this.#waiting.ofCaller(address).length;
    if (ofAddress >= WAITING_OF_ADDRESS && !isLoopbackAddress(address)) {
      throw refused("rate-limited", "Too many sign-ins from your address are waiting. Try again later.");
    }
    if (this.#length >= WAITING_MAX) throw refused("unavailable", "Too many sign-ins are waiting. Try again later.");
    this.#length++;
    return new Promise<void>((begin) => this.#waiting.add({ orgId: address, callerId: address, begin }));
  }
}

function refused(slug: ProblemSlug, detail: string): Problem {
  return new Problem(slug, detail, undefined, { retryAfterSeconds: RETRY_SECONDS });
}
