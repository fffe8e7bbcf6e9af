// Hashes passwords with argon2id, outside the thread that answers: two at a time, because each takes 64 MiB and a core.
// Who waits is served address by address, so that one that tries many passwords holds up no other's sign-in.

import { type Asker, Round } from "../../kernel/fair-queue.ts";
import { isLoopbackAddress } from "../../kernel/loopback.ts";
import { Problem, type ProblemSlug } from "../../kernel/problem.ts";

/** What a hash costs; a stored one that cost less is made again when its password is next given. */
const COST = { algorithm: "argon2id", memoryCost: 65536, timeCost: 2 } as const;
const CURRENT = `$argon2id$v=19$m=${COST.memoryCost},t=${COST.timeCost},`;
/** Of a password that nobody has: what an unknown e-mail address is checked against, so that it costs the same. */
const OF_NOBODY = `${CURRENT}p=1$HpUTtrtOfyTb2tyLvhC4xlPPQfbUYmUzxYr+G5ZeTMI$tIoO8Xj0HgwRdZh13rlAFMOzdu1VTHIYh8/q9KARVaQ`;
const AT_ONCE = 2;
const WAITING_MAX = 32;
const WAITING_OF_ADDRESS = 8;
const RETRY_SECONDS = 2;

/** Hashes and checks passwords, two at a time; both reject as {@link HashLine.run}. */
export class PasswordHasher {
  readonly #line = new HashLine();

  /** The hash to be kept of a password that came from `address`. */
  hash(password: string, address: string): Promise<string> {
    return this.#line.run(address, () => Bun.password.hash(password, COST));
  }

  /** Whether a password is the one that `hash` was made of; null: false, after as long. */
  async verify(password: string, hash: string | null, address: string): Promise<boolean> {
    // An empty one throws, and is nobody's.
    const isRight = await this.#line.run(address, () => Bun.password.verify(password || " ", hash ?? OF_NOBODY));
    return isRight && hash !== null;
  }

  /** Whether a hash is to be made again, because it cost less than one does today. */
  isOutdated(hash: string): boolean {
    return !hash.startsWith(CURRENT);
  }
}

interface Waiting extends Asker {
  readonly begin: () => void;
}

/** Work of which two run at a time, and whose line goes round by address. */
export class HashLine {
  readonly #waiting = new Round<Waiting>();
  #running = 0;
  #length = 0;

  /**
   * Does the work in its turn. Rejects with `503 unavailable` where thirty-two wait, and with `429 rate-limited` where
   * eight of the address do; behind this machine's own stands a proxy, or its owner.
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
      throw refused("rate-limited", "Too many sign-ins from your address wait to be looked at.");
    }
    if (this.#length >= WAITING_MAX) throw refused("unavailable", "Too many sign-ins wait to be looked at.");
    this.#length++;
    return new Promise<void>((begin) => this.#waiting.add({ orgId: address, callerId: address, begin }));
  }
}

function refused(slug: ProblemSlug, detail: string): Problem {
  return new Problem(slug, detail, undefined, { retryAfterSeconds: RETRY_SECONDS });
}
