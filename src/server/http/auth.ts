// API keys: finds the caller of `Authorization: Bearer <key>` by the stored SHA-256s. Known keys are cached until a
// commit that may have revoked one: a revocation counts at once.

import { type Timestamp, toTimestamp } from "../../kernel/runtime.ts";
import type { Caller } from "../../people/principal.ts";
import { hashKey, isKeyOf, type KeyEnvironment } from "../../resources/api-keys/key.ts";
import { findKeyByHash } from "../../resources/api-keys/store.ts";
import type { Reader } from "../../storage/database/sql.ts";
import { readScopes } from "../../storage/records/api-key.ts";

/** The API key behind a request. */
interface KeyCaller extends Caller {
  /** When the key expires; null: never. */
  readonly expiresAt: Timestamp | null;
}

const REMEMBERED_MAX = 1000;
const NO_PERSON = { accountId: null, actorName: null, sessionId: null, stakeholderIds: [] } as const;

/** Finds callers by their key. */
export class Authenticator {
  readonly #db: Reader;
  readonly #environment: KeyEnvironment;
  readonly #remembered = new Map<string, KeyCaller>();

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

  #findKey(header: string | null): KeyCaller | null {
    const key = /^Bearer +(\S+)$/i.exec(header ?? "")?.[1];
    if (!key || !isKeyOf(this.#environment, key)) return null;
    const hash = hashKey(key);
    const known = this.#remembered.get(hash);
    if (known) return known;
    const row = findKeyByHash(this.#db, hash);
    if (row === null) return null;
    const scopes = readScopes(row.scopes);
    const found = { ...row, scopes, actor: "api-key", apiKeyId: row.id, ...NO_PERSON } as const;
    if (this.#remembered.size >= REMEMBERED_MAX) this.#remembered.clear();
    this.#remembered.set(hash, found);
    return found;
  }

  /** Forgets the known keys: to be called after a commit that may have revoked one. */
  forget(): void {
    this.#remembered.clear();
  }
}
