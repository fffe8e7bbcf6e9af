// Rewrites a recomputed document with the statement of its stored facts, so that it can be drawn as it was although
// names or terms have changed. Pure.
import { type Block, type Line, type PaperDocument, statementOf } from "./document-model.ts";

/** Takes lines of a statement, one after the other. */
class Lines {
  #at = 0;
  constructor(readonly all: readonly Line[]) {}

  get next(): Line | undefined {
    return this.all[this.#at];
  }

  take(): Line | undefined {
    return this.all[this.#at++];
  }

  /** The value of the next line where it has this label. */
  valueOf(label: string): string | null {
    return this.next?.[0] === label ? (this.take()?.[1] ?? null) : null;
  }

  takeWhile(fits: (line: Line) => boolean): Line[] {
    const taken: Line[] = [];
    while (this.next && fits(this.next)) {
      taken.push(this.next);
      this.#at++;
    }
    return taken;
  }
}

/** The document with the texts of a statement; null for a statement that no document of its kind has. */
export function withStatement(now: PaperDocument, statement: readonly Line[]): PaperDocument | null {
  const entry = statement.at(-1)?.[1] ?? "";
  const lines = new Lines(statement.slice(0, -1));
  const [legalName, formedIn, title] = ["Company", "Formed in", "Document"].map((label) => lines.valueOf(label));
  const blocks = blocksOf(now, lines);
  const was: PaperDocument = {
    ...now,
    legalName: legalName ?? "",
    formedIn: formedIn ?? null,
    title: title ?? "",
    entry,
    blocks,
  };
  return JSON.stringify(statementOf(was)) === JSON.stringify(statement) ? was : null;
}

const LAST_OF_FACTS = "As of";

function blocksOf({ kind, blocks }: PaperDocument, lines: Lines): Block[] {
  const first = blocks[0]?.kind === "pairs" ? blocks[0] : null;
  const facts = lines.takeWhile(([label]) => label !== LAST_OF_FACTS);
  const day = lines.take();
  const head: Block = { kind: "pairs", ...first, lines: day ? [...facts, day] : facts };
  const rest = blocks.slice(1);
  if (kind === "C") return [head, ...legendsIn(lines), ...rest.filter((block) => block.kind === "signatures")];
  return [head, ...rest.map((block) => (block.kind === "table" ? tableIn(block, lines) : restIn(block, lines)))];
}

const LEGENDS = "Legends";

function legendsIn(lines: Lines): Block[] {
  const found = lines.takeWhile(([label]) => label.startsWith(`${LEGENDS}: `));
  const named = found.map(([label, text]): Line => [label.slice(LEGENDS.length + 2), text]);
  return named.length === 0 ? [] : [{ kind: "texts", title: LEGENDS, lines: named }];
}

/** A row begins with its first column, which always says something; where there are totals they are the last. */
function tableIn(table: Extract<Block, { kind: "table" }>, lines: Lines): Block {
  const labels = table.columns.map(({ header }) => `${table.title}: ${header}`);
  const rows: string[][] = [];
  for (const [label, text] of lines.takeWhile(([each]) => labels.includes(each))) {
    const at = labels.indexOf(label);
    if (at === 0) rows.push(labels.map(() => ""));
    const row = rows.at(-1);
    if (row) row[at] = text;
  }
  return {
    ...table,
    rows: table.totals === null ? rows : rows.slice(0, -1),
    totals: table.totals && (rows.at(-1) ?? null),
  };
}

/** The last lines of a document. */
function restIn(block: Block, lines: Lines): Block {
  return block.kind === "pairs" ? { ...block, lines: lines.takeWhile(() => true) } : block;
}
