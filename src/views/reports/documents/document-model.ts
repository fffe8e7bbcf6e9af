// Document model before drawing: blocks of lines and tables, and the statement that they make, which the code covers.
// Pure.

/** What a document is: a certificate of a security, what a holder has, or a summary of the cap table. */
export const DOCUMENT_KINDS = ["C", "H", "S"] as const;
export type DocumentKind = (typeof DOCUMENT_KINDS)[number];

/** The most pages that a document has. */
export const PAGES_MAX = 200;

/** The document would have more: it is drawn no further. */
export class TooManyPages extends Error {
  override readonly name = "TooManyPages";
}

/** A line: what it is, and what it says. */
export type Line = readonly [label: string, value: string];

/** A column of a table. */
export interface TableColumn {
  readonly header: string;
  readonly isFigure?: boolean;
  /** Its part of the width. */
  readonly weight: number;
}

export type Block =
  | { readonly kind: "pairs"; readonly lines: readonly Line[]; readonly bold?: string }
  | {
      readonly kind: "table";
      readonly title: string;
      readonly columns: readonly TableColumn[];
      readonly rows: readonly (readonly string[])[];
      readonly totals: readonly string[] | null;
    }
  /** Texts in full, each under its name. */
  | { readonly kind: "texts"; readonly title: string; readonly lines: readonly Line[] }
  | { readonly kind: "signatures"; readonly count: number };

/** A document; `A` is the receipt of an acceptance, which has no code. */
export interface PaperDocument {
  readonly kind: DocumentKind | "A";
  readonly legalName: string;
  readonly formedIn: string | null;
  readonly title: string;
  readonly blocks: readonly Block[];
  /** The ledger entry that it goes up to, in words. */
  readonly entry: string;
  /** The word across each page; null for what is in force. */
  readonly stamp: string | null;
}

/** Every variable text of the document, in its order. */
export function statementOf({ legalName, formedIn, title, blocks, entry }: PaperDocument): readonly Line[] {
  const head: Line[] = [["Company", legalName], ...(formedIn === null ? [] : [["Formed in", formedIn] as const])];
  return [...head, ["Document", title], ...blocks.flatMap(linesOf), ["Ledger entry", entry]];
}

function linesOf(block: Block): readonly Line[] {
  switch (block.kind) {
    case "pairs":
      return block.lines;
    case "texts":
      return block.lines.map(([name, text]) => [`${block.title}: ${name}`, text]);
    case "table": {
      const rows = block.totals === null ? block.rows : [...block.rows, block.totals];
      return rows.flatMap((row) =>
        row.flatMap((text, at): Line[] =>
          text === "" ? [] : [[`${block.title}: ${block.columns[at]?.header}`, text]],
        ),
      );
    }
    case "signatures":
      return [];
  }
}

/** Labels of what is not on the ledger: names, terms, legends, and what follows from terms. */
const OUTSIDE =
  /^(Company|Formed in|Copy|Number|Holder|Class|Plan|Par value|Type|Kind|Valuation cap|Discount|Interest|Matures|Expires|From|Legends: .*|Preferred counts as converted:|Vested|Vested, not exercised|Unvested|Vesting|Exercisable|.*: (Number|Class|Plan|Holder|Price|Cap|Matures|Expires|Vested|Vested, not exercised|Kind|Votes|Authorized|Not issued))$/;

/** Whether a line tells what has vested, which follows from the ledger and from terms that are not on it. */
export function isVesting(label: string): boolean {
  return /^(Vested|Vested, not exercised|Unvested|Vesting|Exercisable)$|: Vested(, not exercised)?$/.test(label);
}

/** Whether a line tells what only the ledger determines. */
export function isOnLedger([label]: Line): boolean {
  return !OUTSIDE.test(label);
}
