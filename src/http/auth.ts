// Who is calling: `Authorization: Bearer <key>` against the stored SHA-256s. Known keys are remembered until somebody
// may have revoked one: a revocation counts at once.
import type { Reader } from "../database/sql.ts";
import { type Timestamp, toTimestamp } from "../kernel/runtime.ts";
import type { Role } from "../records/api-key.ts";
import { hashKey, isKeyOf, type KeyEnvironment } from "../resources/api-keys/key.ts";
import { findKeyByHash } from "../resources/api-keys/store.ts";

/** The API key behind a request. */
export interface Caller {
  readonly orgId: string;
  readonly id: string;
  readonly role: Role;
  /** When the key stops working; null: never by itself. */
  readonly expiresAt: Timestamp | null;
}

const REMEMBERED_MAX = 1000;

/** Finds callers by their key. */
export class Authenticator {
  readonly #db: Reader;
  readonly #environment: KeyEnvironment;
  readonly #remembered = new Map<string, Caller>();

  constructor(db: Reader, environment: KeyEnvironment) {
    this.#db = db;
    this.#environment = environment;
  }

  /** The caller named by an `Authorization` header; null when it is missing, malformed, unknown, revoked or expired. */
  find(header: string | null, nowMs: number): Caller | null {
    const caller = this.#findKey(header);
    const hasExpired = caller !== null && caller.expiresAt !== null && caller.expiresAt <= toTimestamp(nowMs);
    return hasExpired ? null : caller;
  }

  #findKey(header: string | null): Caller | null {
    const key = /^Bearer +(\S+)$/i.exec(header ?? "")?.[1];
    if (!key || !isKeyOf(this.#environment, key)) return null;
    const hash = hashKey(key);
    const known = this.#remembered.get(hash);
    if (known) return known;
    const found = findKeyByHash(this.#db, hash);
    if (found) {
      if (this.#remembered.size >= REMEMBERED_MAX) this.#remembered.clear();
      this.#remembered.set(hash, found);
    }
    return found;
  }

  /** Forgets the known keys: to be called when somebody has committed who may have revoked one. */
  forget(): void {
    this.#remembered.clear();
  }
}
