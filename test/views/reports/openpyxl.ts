// openpyxl as another program that reads workbooks.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const PYTHON = Bun.which("/usr/bin/python3") ?? Bun.which("python3");

/** Whether it is installed. */
export const HAS_OPENPYXL = PYTHON !== null && Bun.spawnSync([PYTHON, "-c", "import openpyxl"]).success;

const PROGRAM = `
import datetime, json, sys, openpyxl
def plain(value):
    return value.isoformat() if isinstance(value, (datetime.date, datetime.datetime)) else value
def read(path):
    formulas, values = openpyxl.load_workbook(path), openpyxl.load_workbook(path, data_only=True)
    return [{
        "name": sheet.title, "frozen": sheet.freeze_panes, "filter": sheet.auto_filter.ref, "titles": sheet.print_title_rows,
        "cells": {
            cell.coordinate: {
                "formula": cell.value if cell.data_type == "f" else None,
                "value": plain(values[sheet.title][cell.coordinate].value),
                "isDate": cell.is_date,
                "isQuoted": bool(cell.quotePrefix),
            } for row in sheet.iter_rows() for cell in row if cell.value is not None
        },
    } for sheet in formulas]
json.dump([read(path) for path in sys.argv[1:]], sys.stdout)
`;

/** A sheet as openpyxl reads it: days are `YYYY-MM-DDTHH:MM:SS`. */
export interface PythonSheet {
  readonly name: string;
  readonly frozen: string | null;
  readonly filter: string | null;
  readonly titles: string | null;
  readonly cells: Readonly<Record<string, PythonCell>>;
}

export interface PythonCell {
  readonly formula: string | null;
  readonly value: string | number | boolean | null;
  readonly isDate: boolean;
  readonly isQuoted: boolean;
}

/** Has workbooks read. */
export async function readByOpenpyxl(workbooks: readonly Uint8Array[]): Promise<readonly (readonly PythonSheet[])[]> {
  const folder = mkdtempSync(join(tmpdir(), "captable-openpyxl-"));
  try {
    const files = workbooks.map((bytes, at) => {
      const file = join(folder, `${at}.xlsx`);
      writeFileSync(file, bytes);
      return file;
    });
    const child = Bun.spawn([PYTHON ?? "", "-c", PROGRAM, ...files], { stdout: "pipe", stderr: "pipe" });
    const [said, wrong] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()]);
    if ((await child.exited) !== 0) throw new Error(wrong);
    return JSON.parse(said);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
