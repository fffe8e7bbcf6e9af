// The members of an answer of `GET /cap-table` that its lay-out reads: the domain makes such an answer, and the pages get
// one.

/** A holder. Figures are exact decimals. */
export interface HolderAnswer {
  readonly id: string | null;
  readonly displayName: string | null;
  readonly outstanding: string;
  readonly options: string;
  readonly warrants: string;
  readonly vested: string;
  readonly unvested: string;
  /** One share for one. */
  readonly fullyDiluted: string;
  readonly asConverted: string;
  readonly percentAsConverted: string;
  readonly holdings: readonly { readonly stockClassId: string; readonly quantity: string }[];
}

/** What a class has outstanding; a null id: what is of no class. */
export interface ClassFigures {
  readonly stockClassId: string | null;
  readonly outstanding: string;
  readonly options: string;
  readonly warrants: string;
  readonly fullyDiluted: string;
  readonly asConverted: string;
  readonly votes: string;
}

/** A class, by creation. */
export interface ClassAnswer {
  readonly id: string;
  readonly name: string;
  readonly classType: "COMMON" | "PREFERRED";
  /** A decimal, or `UNLIMITED` or `NOT APPLICABLE`. */
  readonly authorized: string;
  /** Authorized less issued, or the same word. */
  readonly available: string;
}

/** The answer. */
export interface TableAnswer {
  readonly shareClasses: readonly ClassAnswer[];
  readonly equityPlans: readonly { readonly id: string; readonly name: string; readonly available: string }[];
  readonly stakeholders: readonly HolderAnswer[];
  readonly byClass: readonly ClassFigures[];
  readonly totals: {
    readonly outstanding: string;
    readonly options: string;
    readonly warrants: string;
    readonly poolAvailable: string;
    readonly fullyDiluted: string;
    readonly asConverted: string;
    readonly percentPoolAsConverted: string;
  };
}

/** Where a class stands among the others. */
export interface Ranked {
  readonly id: string;
  readonly classType: "COMMON" | "PREFERRED";
  /** 1 is the most senior. */
  readonly seniority: number;
}

/** What the table is laid out from. */
export interface Source {
  readonly table: TableAnswer;
  /** The ranks of its classes, which the answer leaves to the classes themselves. */
  readonly ranks: readonly Ranked[];
}

/** Common stock first, then preferred from junior to senior; equal ranks keep their order, which is by creation. */
export function inOrder<C extends Omit<Ranked, "id">>(classes: readonly C[]): readonly C[] {
  const rank = ({ classType }: C) => (classType === "COMMON" ? 0 : 1);
  return classes.toSorted((a, b) => rank(a) - rank(b) || (rank(a) === 1 ? b.seniority - a.seniority : 0));
}
