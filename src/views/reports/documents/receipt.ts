// The receipt of an acceptance: what was accepted, by whom, when, and where the log has it. Pure.
import type { Static } from "@sinclair/typebox";
import type { Acceptance } from "../../../resources/acceptances/schema.ts";
import type { Block, Line, PaperDocument } from "./document-model.ts";
import { grouped } from "./words.ts";

/** What a receipt is made from. */
export interface Received {
  readonly acceptance: Static<typeof Acceptance>;
  readonly legalName: string;
  readonly certificateId: string | null;
  /** The holder's legal name; null without a holder. */
  readonly holder: string | null;
  /** The title of the document with the signed copy; null without one. */
  readonly document: string | null;
  /** Where the log has the acceptance. */
  readonly logged: { readonly sequence: number; readonly hash: string } | null;
}

const KINDS = {
  PORTAL: "In the portal",
  PAPER: "On paper",
  IMPORTED: "Brought by an import",
} as const;

/** The receipt. */
export function receiptOf(received: Received): PaperDocument {
  const { acceptance, legalName } = received;
  const { shown } = acceptance;
  const terms: Block[] =
    shown === null
      ? []
      : [
          { kind: "texts", title: "Accepted", lines: [["Text", shown.text]] },
          documentsOf(shown.documents),
          { kind: "pairs", lines: [...shown.terms.statement.map(lineOf), ["Code", shown.terms.code]] },
          vestingOf(shown.terms.vesting),
        ].filter((block): block is Block => block !== null);
  return {
    kind: "A",
    legalName,
    formedIn: null,
    title: "RECEIPT OF ACCEPTANCE",
    blocks: [{ kind: "pairs", lines: linesOf(received) }, ...terms],
    entry: "",
    stamp: null,
  };
}

function lineOf([label = "", value = ""]: readonly string[]): Line {
  return [label, value];
}

function linesOf({ acceptance, certificateId, holder, document, logged }: Received): readonly Line[] {
  const { hasSecondFactor } = acceptance;
  const factor = hasSecondFactor === null ? null : hasSecondFactor ? "Given" : "None";
  const lines: readonly (readonly [string, string | null])[] = [
    ["Acceptance", acceptance.id],
    ["Security", certificateId === null ? acceptance.securityId : `${certificateId} (${acceptance.securityId})`],
    ["Holder", holder],
    ["How", KINDS[acceptance.kind]],
    ["Accepted", acceptance.acceptedAt],
    ["Recorded", acceptance.createdAt],
    ["By", acceptance.name],
    ["E-mail", acceptance.email],
    ["Account", acceptance.accountId],
    ["Signed in by", acceptance.method],
    ["Second factor", factor],
    ["Session", acceptance.sessionId],
    ["Address", acceptance.address],
    ["Browser", acceptance.userAgent],
    ["Signed copy", document ?? acceptance.documentId],
    ["Comments", acceptance.comments],
    ["SHA-256 of what was shown", acceptance.digest],
    ["Ledger's head then", acceptance.ledgerHead],
    ["Log row", logged === null ? null : `${logged.sequence}`],
    ["Hash of the log row", logged?.hash ?? null],
  ];
  return lines.flatMap(([label, value]): Line[] => (value === null || value === "" ? [] : [[label, value]]));
}

type Shown = NonNullable<Received["acceptance"]["shown"]>;

function documentsOf(documents: Shown["documents"]): Block | null {
  if (documents.length === 0) return null;
  return {
    kind: "table",
    title: "Documents",
    columns: [
      { header: "Title", weight: 3 },
      { header: "Bytes", weight: 1, isFigure: true },
      { header: "SHA-256", weight: 5 },
    ],
    rows: documents.map(({ id, title, sha256, size }) => [title ?? id, size === null ? "" : `${size}`, sha256 ?? ""]),
    totals: null,
  };
}

function vestingOf(vesting: Shown["terms"]["vesting"]): Block | null {
  if (vesting.length === 0) return null;
  return {
    kind: "table",
    title: "Vesting",
    columns: [
      { header: "Date", weight: 1 },
      { header: "Quantity", weight: 1, isFigure: true },
    ],
    rows: vesting.map(({ date, quantity }) => [date, grouped(quantity)]),
    totals: null,
  };
}
