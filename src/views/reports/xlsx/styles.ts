// The styles of a workbook: every look that a cell can have, in the order of their numbers.
import type { Kind } from "../sheet.ts";

const FORMATS = {
  general: { id: 0, code: null },
  text: { id: 49, code: null },
  whole: { id: 164, code: '#,##0;-#,##0;"–"' },
  fraction: { id: 165, code: "#,##0.##########" },
  money: { id: 166, code: '#,##0.00########;-#,##0.00########;"–"' },
  percent: { id: 167, code: "0.0000%" },
  date: { id: 168, code: "yyyy-mm-dd" },
  timestamp: { id: 169, code: "yyyy-mm-dd hh:mm:ss.000" },
  integer: { id: 1, code: null },
} as const;
type Format = keyof typeof FORMATS;

interface Look {
  readonly format: Format;
  readonly align?: "left" | "right";
  readonly isIndented?: boolean;
  readonly isWrapped?: boolean;
  readonly isBold?: boolean;
  readonly isTitle?: boolean;
  readonly isFilled?: boolean;
  readonly hasTopLine?: boolean;
  readonly isQuoted?: boolean;
}

/** Looks of text, each with a quoted twin that stays text when a user edits the cell. */
const TEXT_LOOKS = {
  title: { format: "text", isTitle: true },
  header: { format: "text", isBold: true, isWrapped: true, isFilled: true },
  headerIndented: { format: "text", isBold: true, isWrapped: true, isFilled: true, align: "left", isIndented: true },
  headerRight: { format: "text", isBold: true, isWrapped: true, isFilled: true, align: "right" },
  text: { format: "text" },
  textIndented: { format: "text", align: "left", isIndented: true },
  note: { format: "text", isWrapped: true },
  word: { format: "text", align: "right" },
  totalWord: { format: "text", align: "right", isBold: true, hasTopLine: true },
} as const satisfies Readonly<Record<string, Look>>;

const FIGURE_LOOKS = {
  plain: { format: "general" },
  whole: { format: "whole" },
  fraction: { format: "fraction" },
  money: { format: "money" },
  percent: { format: "percent" },
  integer: { format: "integer" },
  date: { format: "date", align: "left" },
  timestamp: { format: "timestamp", align: "left" },
  dateIndented: { format: "date", align: "left", isIndented: true },
  timestampIndented: { format: "timestamp", align: "left", isIndented: true },
  total: { format: "text", isBold: true, hasTopLine: true },
  totalWhole: { format: "whole", isBold: true, hasTopLine: true },
  totalFraction: { format: "fraction", isBold: true, hasTopLine: true },
  totalMoney: { format: "money", isBold: true, hasTopLine: true },
  totalPercent: { format: "percent", isBold: true, hasTopLine: true },
} as const satisfies Readonly<Record<string, Look>>;

export type TextLook = keyof typeof TEXT_LOOKS;
export type FigureLook = keyof typeof FIGURE_LOOKS;

const TEXT_NAMES = Object.keys(TEXT_LOOKS) as TextLook[];
const FIGURE_NAMES = Object.keys(FIGURE_LOOKS) as FigureLook[];
/** Number 0 is what a cell without any style has. */
const LOOKS: readonly Look[] = [
  ...FIGURE_NAMES.map((name): Look => FIGURE_LOOKS[name]),
  ...TEXT_NAMES.map((name): Look => TEXT_LOOKS[name]),
  ...TEXT_NAMES.map((name): Look => ({ ...TEXT_LOOKS[name], isQuoted: true })),
];

const FIGURE_IDS = new Map(FIGURE_NAMES.map((name, id) => [name, id]));
const TEXT_IDS = new Map(TEXT_NAMES.map((name, id) => [name, FIGURE_NAMES.length + id]));

/** The number of a look of figures. */
export function figureStyle(look: FigureLook): number {
  return FIGURE_IDS.get(look) ?? 0;
}

/** The number of a look of text; quoted where editing the cell would run it. */
export function textStyle(look: TextLook, isQuoted = false): number {
  return (TEXT_IDS.get(look) ?? 0) + (isQuoted ? TEXT_NAMES.length : 0);
}

/** The look of a figure of a kind. */
export function lookOf(kind: Kind, hasFraction: boolean, isTotal: boolean): FigureLook {
  switch (kind) {
    case "money":
      return isTotal ? "totalMoney" : "money";
    case "percent":
      return isTotal ? "totalPercent" : "percent";
    case "integer":
      return "integer";
    case "date":
    case "timestamp":
      return kind;
    default:
      if (hasFraction) return isTotal ? "totalFraction" : "fraction";
      return isTotal ? "totalWhole" : "whole";
  }
}

const BODY_FONT = 0;
const BOLD_FONT = 1;
const TITLE_FONT = 2;

function fontOf({ isTitle, isBold }: Look): number {
  return isTitle ? TITLE_FONT : isBold ? BOLD_FONT : BODY_FONT;
}

function formatOf(look: Look): string {
  const { format, align, isIndented, isWrapped, isFilled, hasTopLine, isQuoted } = look;
  const alignment = [
    align ? ` horizontal="${align}"` : "",
    isWrapped ? ' vertical="top" wrapText="1"' : "",
    isIndented ? ' indent="1"' : "",
  ].join("");
  const inner = alignment === "" ? "/>" : ` applyAlignment="1"><alignment${alignment}/></xf>`;
  return (
    `<xf numFmtId="${FORMATS[format].id}" fontId="${fontOf(look)}" fillId="${isFilled ? 2 : 0}" ` +
    `borderId="${hasTopLine ? 1 : 0}" xfId="0" applyNumberFormat="1" applyFont="1" applyFill="1" applyBorder="1"` +
    `${isQuoted ? ' quotePrefix="1"' : ""}${inner}`
  );
}

const font = (size: number, isBold: boolean) =>
  `<font>${isBold ? "<b/>" : ""}<sz val="${size}"/><name val="Calibri"/><family val="2"/></font>`;

/** The part `xl/styles.xml`. */
export function stylesXml(): string {
  const codes = Object.values(FORMATS).filter(({ code }) => code !== null);
  const formats = codes.map(
    ({ id, code }) => `<numFmt numFmtId="${id}" formatCode="${String(code).replaceAll('"', "&quot;")}"/>`,
  );
  return (
    '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n' +
    '<styleSheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main">' +
    `<numFmts count="${formats.length}">${formats.join("")}</numFmts>` +
    `<fonts count="3">${font(10, false)}${font(10, true)}${font(14, true)}</fonts>` +
    '<fills count="3"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill>' +
    '<fill><patternFill patternType="solid"><fgColor rgb="FFE7ECF3"/><bgColor indexed="64"/></patternFill></fill></fills>' +
    '<borders count="2"><border><left/><right/><top/><bottom/><diagonal/></border><border><left/><right/>' +
    '<top style="thin"><color auto="1"/></top><bottom/><diagonal/></border></borders>' +
    '<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>' +
    `<cellXfs count="${LOOKS.length}">${LOOKS.map(formatOf).join("")}</cellXfs>` +
    '<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles>' +
    "</styleSheet>"
  );
}
