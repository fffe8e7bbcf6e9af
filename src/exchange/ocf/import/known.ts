// What an import knows of the organization from one of its transactions to the next. Every change of a record is in the
// log, so it holds as long as the log ends with what the import itself wrote there.
import type { NamedHolder } from "../../../ledger/operation.ts";
import { findLogHead } from "../../../storage/database/log/audit.ts";
import type { Reader } from "../../../storage/database/sql.ts";
import { textOf } from "../json.ts";
import { isEvent, type StoryEvent } from "../story/story-event.ts";
import type { Step } from "./plan.ts";
import { isBare } from "./store.ts";

const YIELD_EVERY = 1000;

/** Whether no two transactions of a package have the same id, and no two issue the same security. */
export function* haveOwnIds(steps: readonly Step[]): Generator<void, boolean> {
  const [ids, securities] = [new Set<string>(), new Set<string>()];
  let [transactions, issuances] = [0, 0];
  for (const [i, step] of steps.entries()) {
    if (i % YIELD_EVERY === 0) yield;
    if (!isEvent(step)) continue;
    ids.add(step.id);
    transactions++;
    if (step.type.action !== "ISSUANCE") continue;
    securities.add(textOf(step.value, "security_id") ?? "");
    issuances++;
  }
  return ids.size === transactions && securities.size === issuances;
}

/** Records that were found, and whether all that the package brings is new. */
export class Known {
  /** Records but securities, as `stakeholders id`: thousands of objects name the same few. */
  readonly seen = new Set<string>();
  /** The holders among the records. */
  readonly holders = new Map<string, NamedHolder>();
  readonly #orgId: string;
  /** Whether the transactions that are still to come can only bring what is not there yet, but for splits under way. */
  #isAllNew: boolean;
  #isBegun = false;
  #isKept = false;
  #logHash = "";
  #reached = "";

  /** `hasOwnIds`: of the package ({@link haveOwnIds}). */
  constructor(orgId: string, hasOwnIds: boolean) {
    this.#orgId = orgId;
    this.#isAllNew = hasOwnIds;
  }

  /** A transaction begins: forgets what others may have changed, or what one that was undone had seen. */
  begin(db: Reader): void {
    const isOwn = this.#isKept && findLogHead(db, this.#orgId).hash === this.#logHash;
    this.#isKept = false;
    if (isOwn) return;
    this.forget();
    this.#isAllNew &&= !this.#isBegun && isBare(db, this.#orgId);
  }

  /** Forgets the records that were found: some may have been made by what was undone. */
  forget(): void {
    this.seen.clear();
    this.holders.clear();
  }

  /** A transaction has written all that it writes. */
  end(db: Reader): void {
    this.#reached = findLogHead(db, this.#orgId).hash;
  }

  /** The transaction is on disk. */
  keep(): void {
    this.#logHash = this.#reached;
    this.#isBegun = true;
    this.#isKept = true;
  }

  /** Whether nothing of what the transaction brings can be there: a split may have begun in an earlier transaction. */
  isNew({ kind }: StoryEvent): boolean {
    return this.#isAllNew && kind !== "SPLIT";
  }
}
