// Members of imported entries: the only place with their stored names. Pure.
import type { SecurityStatus } from "../storage/database/schema.ts";
import { type Metadata, textOf } from "./types.ts";

/** The effect of an imported transaction, as its entry stores it. Numbers are decimal strings. */
export interface ImportedEffect {
  /** What the security loses: its whole quantity if the transaction ends it. */
  readonly taken?: string;
  /** The status of the security once its quantity is zero. */
  readonly status?: SecurityStatus;
  /** The quantity that returns to the reserve of the plan named beside it. */
  readonly returned?: string;
  /** What the plan's default returned of the security before; subtracted from `returned`. */
  readonly replaced?: string;
  /** Returned by the plan's default, of a cancellation imported before the plan. */
  readonly isDefault?: true;
  /** The change in that plan's counts of grants and exercises (ledger/rules/plan-use.ts). */
  readonly granted?: string;
  readonly exercised?: string;
  /** The strike after a repricing. */
  readonly exercisePrice?: string;
}

/** Its part of a split carried out piece by piece (ledger/splits/split-under-way.ts). */
interface ImportedPiece {
  /** Row numbers of securities: the last one processed, and the last one that existed when the split began. */
  readonly lastSeq?: number;
  readonly upTo?: number;
  readonly isLast?: true;
  /** Split before its turn, because a write was about to change it. */
  readonly isApart?: true;
  /** The split's result for stock imported later. */
  readonly isLate?: true;
}

/** All members that an import adds to an entry. */
export interface ImportedMembers extends ImportedEffect, ImportedPiece {
  /** The type and id of the object in the package that brought it. */
  readonly objectType?: string;
  readonly objectId?: string;
  /** The transaction that issued this security as its result. */
  readonly resultOf?: string | undefined;
}

/** The stored names. */
const STORED = {
  taken: "ocfTaken",
  status: "ocfStatus",
  returned: "ocfReturned",
  replaced: "ocfReplaced",
  isDefault: "ocfIsDefault",
  granted: "ocfGranted",
  exercised: "ocfExercised",
  exercisePrice: "ocfExercisePrice",
  lastSeq: "ocfLastSeq",
  upTo: "ocfUpTo",
  isLast: "ocfIsLast",
  isApart: "ocfApart",
  isLate: "ocfIsLate",
  objectType: "ocfObjectType",
  objectId: "ocfId",
  resultOf: "ocfResultOf",
} as const satisfies Record<keyof ImportedMembers, string>;

/** The members as an entry stores them, in their order. */
export function toStored(members: ImportedMembers): Metadata {
  return Object.fromEntries(
    Object.entries(members).map(([name, value]) => [STORED[name as keyof ImportedMembers], value]),
  );
}

/** An entry's imported members, null for missing ones; all null for an entry of our own. */
export class Imported {
  readonly #stored: Metadata;

  constructor(stored: Metadata) {
    this.#stored = stored;
  }

  /** The type of the object that the entry was imported from; null for entries of our own. */
  get objectType(): string | null {
    return textOf(this.#stored, STORED.objectType);
  }

  get objectId(): string | null {
    return textOf(this.#stored, STORED.objectId);
  }

  get resultOf(): string | null {
    return textOf(this.#stored, STORED.resultOf);
  }

  /** Whether the import gave the entry an effect of its own; other entries have the effect of their type. */
  get hasEffect(): boolean {
    return this.taken !== null || this.returned !== null || this.exercisePrice !== null;
  }

  get taken(): string | null {
    return textOf(this.#stored, STORED.taken);
  }

  get status(): SecurityStatus {
    return (textOf(this.#stored, STORED.status) ?? "CANCELLED") as SecurityStatus;
  }

  get returned(): string | null {
    return textOf(this.#stored, STORED.returned);
  }

  get replaced(): string | null {
    return textOf(this.#stored, STORED.replaced);
  }

  get isDefault(): boolean {
    return this.#stored[STORED.isDefault] === true;
  }

  get granted(): string | null {
    return textOf(this.#stored, STORED.granted);
  }

  get exercised(): string | null {
    return textOf(this.#stored, STORED.exercised);
  }

  get exercisePrice(): string | null {
    return textOf(this.#stored, STORED.exercisePrice);
  }

  get lastSeq(): number | null {
    return numberOf(this.#stored[STORED.lastSeq]);
  }

  get upTo(): number | null {
    return numberOf(this.#stored[STORED.upTo]);
  }

  get isLast(): boolean {
    return this.#stored[STORED.isLast] === true;
  }

  get isLate(): boolean {
    return this.#stored[STORED.isLate] === true;
  }
}

function numberOf(value: unknown): number | null {
  return typeof value === "number" ? value : null;
}
