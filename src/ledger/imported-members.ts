// What the entry of an imported transaction says of it: the one place that knows under which names that is stored. Pure.
import type { SecurityStatus } from "../storage/database/schema.ts";
import { type Metadata, textOf } from "./types.ts";

/** What the entry of an imported transaction carries for its effect. Numbers are decimal strings. */
export interface ImportedEffect {
  /** What the security loses: all that it held where the transaction ends it. */
  readonly taken?: string;
  /** The status of the security once nothing is left. */
  readonly status?: SecurityStatus;
  /** What goes back to the reserve of the plan named beside it. */
  readonly returned?: string;
  /** What the plan's default had returned of the security before, which is taken off `returned`. */
  readonly replaced?: string;
  /** Returned by the plan's default of a cancellation that came in before the plan did. */
  readonly isDefault?: true;
  /** By how much the grants and exercises of that plan count more, or less, than before (ledger/rules/plan-use.ts). */
  readonly granted?: string;
  readonly exercised?: string;
  /** The strike after a repricing. */
  readonly exercisePrice?: string;
}

/** What it carries of a split that goes piece by piece (ledger/splits/split-under-way.ts). */
interface ImportedPiece {
  /** Row numbers of securities: the last one that its turn came to, and the last one that was there at its beginning. */
  readonly lastSeq?: number;
  readonly upTo?: number;
  readonly isLast?: true;
  /** Taken before its turn, because a write was about to change it. */
  readonly isApart?: true;
  /** What the split made of stock that came in later. */
  readonly isLate?: true;
}

/** All that an import adds to an entry. */
export interface ImportedMembers extends ImportedEffect, ImportedPiece {
  /** The type and id of the object in the package that brought it. */
  readonly objectType?: string;
  readonly objectId?: string;
  /** The transaction that an issuance is the result of. */
  readonly resultOf?: string | undefined;
}

/** The names under which they are stored. */
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

/** The members as an entry stores them, in the order in which they are named. */
export function toStored(members: ImportedMembers): Metadata {
  return Object.fromEntries(
    Object.entries(members).map(([name, value]) => [STORED[name as keyof ImportedMembers], value]),
  );
}

/** What an import brought along with an entry; null for what it did not, and all of it for an entry of our own. */
export class Imported {
  readonly #stored: Metadata;

  constructor(stored: Metadata) {
    this.#stored = stored;
  }

  /** The type of the object that the entry was imported from: null where it was not. */
  get objectType(): string | null {
    return textOf(this.#stored, STORED.objectType);
  }

  get objectId(): string | null {
    return textOf(this.#stored, STORED.objectId);
  }

  get resultOf(): string | null {
    return textOf(this.#stored, STORED.resultOf);
  }

  /** Whether the entry has an effect of its own because it was imported; others follow their type's. */
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
