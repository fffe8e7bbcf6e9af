// CSV files: every digit, and nothing that a spreadsheet would take for a formula.

/** A cell of a CSV file: quoted where it has to be, and no formula. */
export function csvCell(text: string): string {
  const harmless = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}

/** A file of rows, the head first: UTF-8 with the mark that spreadsheets look for. Null is an empty cell. */
export function csvText(rows: readonly (readonly (string | null | undefined)[])[]): string {
  const lines = rows.map((cells) => cells.map((cell) => csvCell(cell ?? "")).join(","));
  return `\ufeff${lines.join("\r\n")}\r\n`;
}

/** The name of a file about an organization: `securities-acme-inc-2026-01-15.csv`. */
export function csvName(what: string, organization: string, day: string): string {
  const plain = organization
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-|-$/g, "");
  return `${what}-${plain}-${day}.csv`;
}
