// What must hold whatever happens: the invariants, numbered I1 to I7 and I9, each by looking at the rows themselves.

import { parseDecimal, ZERO } from "../../src/kernel/numbers/decimal.ts";
import type { Address } from "../../src/kernel/text/wallet-address.ts";
import { verifyDatabase } from "../../src/safekeeping/verify/verify.ts";
import type { Reader } from "../../src/storage/database/sql.ts";
import type { PendingRequest } from "./clients.ts";
import type { State } from "./contracts.ts";
import { Violation } from "./trace.ts";

const TABLES = [
  "transactions",
  "securities",
  "stakeholders",
  "share_classes",
  "equity_plans",
  "approvals",
  "approval_steps",
] as const;

interface Head {
  readonly sequence: number;
  readonly hash: string;
}

/** The answers that clients got, and where the ledger ended: none of it may ever be gone. */
export class Memory {
  readonly settled: PendingRequest[] = [];
  #heads = new Map<string, Head[]>();

  /** As much as a backup taken now will know. */
  mark(): { readonly settled: number; readonly heads: ReadonlyMap<string, number> } {
    const heads = new Map([...this.#heads].map(([orgId, known]) => [orgId, known.length]));
    return { settled: this.settled.length, heads };
  }

  /** A backup was restored: what came after it is gone, and that is what everybody expects. */
  goBack(mark: ReturnType<Memory["mark"]>): void {
    this.settled.length = mark.settled;
    for (const [orgId, known] of this.#heads) known.length = mark.heads.get(orgId) ?? 0;
  }

  /** Holds everything against what is on disk. */
  check(db: Reader): void {
    const { organizations, differences } = verifyDatabase(db);
    const [first] = differences;
    if (first) throw new Violation(`I3-I6: ${first.subject}: ${first.detail} (${differences.length} in all)`);
    this.#checkPrefix(db);
    for (const { orgId, head } of organizations) {
      const known = this.#heads.get(orgId) ?? [];
      if (known.at(-1)?.sequence !== head.sequence && head.sequence > 0) known.push(head);
      this.#heads.set(orgId, known);
    }
    this.#checkAnswers(db);
  }

  /** I5: the ledger is what it was, and more. */
  #checkPrefix(db: Reader): void {
    const find = db.sqlite
      .prepare<[string, number], string>("SELECT hash FROM transactions WHERE orgId = ? AND sequence = ?")
      .pluck();
    for (const [orgId, known] of this.#heads) {
      const changed = known.find(({ sequence, hash }) => find.get(orgId, sequence) !== hash);
      if (changed) throw new Violation(`I5: entry ${changed.sequence} of ${orgId} is not what it was`);
    }
  }

  /** I1: what was acknowledged is there. I2: it is there once, and what was refused is not there at all. */
  #checkAnswers(db: Reader): void {
    const ids = new Set(TABLES.flatMap((table) => db.sqlite.prepare(`SELECT id FROM ${table}`).pluck().all()));
    const requests = new Set(db.sqlite.prepare("SELECT DISTINCT requestId FROM audit_log").pluck().all());
    for (const { wish, requestIds, answer, key } of this.settled) {
      const { status = 0, body = "" } = answer ?? {};
      const what = `${wish.method} ${wish.path} ${key ?? ""} was answered ${status}`;
      const isDone = status < 300;
      const missing = isDone && idsIn(body).find((id) => !ids.has(id));
      if (missing) throw new Violation(`I1: ${what}, and ${missing} is not there`);
      if (key === null) continue;
      const effects = requestIds.filter((id) => requests.has(id)).length;
      if (effects !== (isDone ? 1 : 0)) throw new Violation(`I2: ${what}, and took effect ${effects} times`);
    }
  }
}

interface Made {
  readonly id?: string;
  readonly transactionId?: string;
  readonly securityId?: string;
  readonly newSecurityId?: string;
  readonly data?: Made;
}

/** The ids of the records that an answer announces. */
function idsIn(body: string): string[] {
  const { data, ...bare }: Made = body === "" ? {} : JSON.parse(body);
  const { id, transactionId, securityId, newSecurityId } = data ?? bare;
  const named = data === undefined ? [id] : [id, transactionId, securityId, newSecurityId];
  return named.filter((each) => each !== undefined);
}

interface ClassRow {
  readonly orgId: string;
  readonly id: string;
  readonly tokenAddress: Address | null;
  readonly tokenizationStatus: string;
}

interface Holding {
  readonly quantity: string;
  readonly address: string | null;
}

/** Where the chain is not what the ledger says. */
export interface ChainDifference {
  readonly stockClassId: string;
  /** Whose balance; `total` for the supply, `token` without a token. */
  readonly address: string;
  readonly found: bigint;
  readonly expected: bigint;
}

/** I7: the supply and every balance of every token, against the ledger's securities. */
export function chainDifferences(db: Reader, state: State): ChainDifference[] {
  const classes = db.sqlite
    .prepare<[], ClassRow>("SELECT orgId, id, tokenAddress, tokenizationStatus FROM share_classes ORDER BY seq")
    .all();
  return classes.flatMap((stockClass) => {
    const { id: stockClassId, tokenAddress, tokenizationStatus } = stockClass;
    const expected = expectedBalances(db, stockClass);
    const total = [...expected.values()].reduce((sum, quantity) => sum + quantity, ZERO);
    const token = tokenAddress === null ? undefined : state.tokens.get(tokenAddress);
    if (tokenizationStatus !== "DEPLOYED" || !token)
      return [{ stockClassId, address: "token", found: 0n, expected: 1n }];
    const holders = new Set([...expected.keys(), ...token.balances.keys()]);
    const balances = [...holders].map((address) => {
      const found = token.balances.get(address as Address) ?? ZERO;
      return { stockClassId, address, found, expected: expected.get(address) ?? ZERO };
    });
    const supply = { stockClassId, address: "total", found: token.supply, expected: total };
    return [supply, ...balances].filter(({ found, expected: should }) => found !== should);
  });
}

function expectedBalances(db: Reader, { orgId, id }: ClassRow): Map<string, bigint> {
  const holdings = db.sqlite
    .prepare<[string, string], Holding>(
      `SELECT quantity, coalesce(walletAddress, custodialAddress) AS address FROM securities
      JOIN stakeholders ON stakeholders.orgId = securities.orgId AND stakeholders.id = securities.stakeholderId
      WHERE securities.orgId = ? AND stockClassId = ? AND securities.type = 'STOCK' AND securities.status = 'ACTIVE'
      AND isGated = 0 AND securities.deletedAt IS NULL`,
    )
    .all(orgId, id);
  const balances = new Map<string, bigint>();
  for (const { quantity, address } of holdings) {
    const holder = address ?? "no holder";
    balances.set(holder, (balances.get(holder) ?? 0n) + parseDecimal(quantity));
  }
  return balances;
}

/** The background work that is neither done nor dropped. */
export function unfinishedWork(db: Reader): string[] {
  return db.sqlite
    .prepare<[], string>(
      `SELECT kind || ' ' || id || ' ' || state || coalesce(': ' || error, '') FROM outbox
      WHERE state IN ('QUEUED', 'RUNNING', 'FAILED') ORDER BY seq`,
    )
    .pluck()
    .all();
}
