// captable model: models of rounds, exits and cap tables, from a file with the body of the API. Reads only.
import { readFileSync } from "node:fs";
import type { Command } from "commander";
import { findFaults } from "../../src/kernel/check.ts";
import { isCalendarDate } from "../../src/kernel/date.ts";
import { Problem } from "../../src/kernel/problem.ts";
import { systemRuntime } from "../../src/kernel/runtime.ts";
import type { ScenarioModel } from "../../src/storage/records/scenario.ts";
import { NO_HOLDER } from "../../src/views/cap-table/layout/by-holder.ts";
import { type ModelBodies, runModel } from "../../src/views/models/model.ts";
import { CapTableModel, RoundModel, WaterfallModel } from "../../src/views/models/rules.ts";
import type { ProFormaTable } from "../../src/views/models/table-model.ts";
import { type Column, columnOfFigures, fitted, grouped, terminalWidth } from "../columns.ts";
import {
  CommandError,
  type CommonOptions,
  configOf,
  newCommand,
  print,
  withDataDir,
  withExamples,
} from "../command.ts";
import { chooseOrganization, withRecords } from "../data.ts";
import { explain } from "../failure.ts";

interface ModelOptions extends CommonOptions {
  readonly org?: string;
  readonly asOf?: string;
}

const MODELS = {
  "cap-table": { model: "CAP_TABLE", body: CapTableModel, summary: "Show the cap table with what a file adds." },
  round: { model: "ROUND", body: RoundModel, summary: "Show what everybody owns after a round." },
  waterfall: { model: "WATERFALL", body: WaterfallModel, summary: "Show who gets what at an exit." },
} as const;

/** Declares `captable model`. */
export function modelCommand(): Command {
  const command = newCommand("model", "Model rounds and exits; nothing is written.");
  for (const [name, { model, body, summary }] of Object.entries(MODELS)) {
    const one = newCommand(name, summary)
      .argument("<file>", "the body of the API's model; - for standard input")
      .option("--org <id or name>", "the organization; needed only where there are several")
      .option("--as-of <day>", "as of that day, where the file says none");
    withExamples(withDataDir(one), `captable model ${name} ${name}.json`);
    one.action((file: string, options: ModelOptions) => show(model, () => readBody(file, options, body), options));
    command.addCommand(one);
  }
  return command;
}

/** The body of a file, checked as the API checks it. Exit 1 for what it would refuse. */
function readBody(
  file: string,
  { asOf }: ModelOptions,
  schema: Parameters<typeof findFaults>[0],
): Record<string, unknown> {
  if (asOf !== undefined && !isCalendarDate(asOf)) {
    throw new CommandError(`--as-of ${asOf}: write a day, for instance 2026-01-31`, 2);
  }
  const body = parsed(readFileSync(file === "-" ? 0 : file, "utf8"), file);
  const dated = asOf === undefined || body.asOf ? body : { ...body, asOf };
  const faults = findFaults(schema, dated);
  if (faults.length === 0) return dated;
  throw new CommandError(faults.map(({ path, detail }) => `#${path} ${detail}`).join("\n"), 1);
}

function parsed(text: string, file: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  } catch {
    // Said below, as for what is no object.
  }
  throw new CommandError(`${file}: no JSON object`, 1);
}

async function show(model: ScenarioModel, read: () => Record<string, unknown>, options: ModelOptions): Promise<void> {
  const data = await withRecords(configOf(options), (db) => {
    const { id } = chooseOrganization(db, options.org);
    const body = read();
    try {
      const asked = { orgId: id, model, body: body as ModelBodies[ScenarioModel], nowMs: systemRuntime.nowMs() };
      return runModel(db, asked);
    } catch (error) {
      if (error instanceof Problem) throw new CommandError(explain(error), 1);
      throw error;
    }
  });
  print(options, data, linesOf(model, data));
}

type Row = Readonly<Record<string, string | null>>;

function linesOf(model: ScenarioModel, data: Record<string, unknown>): readonly string[] {
  const warnings = (data.warnings as readonly { detail: string }[]).map(({ detail }) => `warning: ${detail}`);
  if (model === "WATERFALL") return [...pointLines(data.points as readonly Point[]), ...warnings];
  const head = model === "ROUND" ? [...roundLines(data), ""] : [];
  return [...head, ...tableLines(data.after as ProFormaTable), ...warnings];
}

const named = (heading: string, of: string): Column<Row> => ({
  heading: heading.toUpperCase(),
  isCut: true,
  cell: (row) => row[of] ?? NO_HOLDER,
});
const percent = (heading: string, of: string): Column<Row> => ({
  heading: heading.toUpperCase(),
  isFigure: true,
  cell: (row) => `${row[of]} %`,
});

function roundLines(data: Record<string, unknown>): readonly string[] {
  const { pricePerShare, preMoneyValuation, postMoneyValuation, newShares, conversions } = data as Row & {
    readonly conversions: readonly Row[];
  };
  const columns = [
    named("Convertible", "name"),
    columnOfFigures<Row>("Amount", (row) => row.amount),
    columnOfFigures<Row>("Price", (row) => row.conversionPrice),
    columnOfFigures<Row>("Shares", (row) => row.shares),
    { heading: "BY", cell: (row: Row) => row.basis ?? "" },
  ];
  const money = (text: string | null | undefined) => grouped(text ?? "");
  return [
    `${money(pricePerShare)} a share; ${money(preMoneyValuation)} before the money, ${money(postMoneyValuation)} after; ` +
      `${money(newShares)} new shares`,
    ...(conversions.length === 0 ? [] : ["", ...fitted(conversions, [columns], terminalWidth())]),
  ];
}

function tableLines({ holders, pool, totals }: ProFormaTable): readonly string[] {
  const columns = [
    named("Holder", "name"),
    columnOfFigures<Row>("Outstanding", (row) => row.outstanding),
    columnOfFigures<Row>("Fully diluted", (row) => row.fullyDiluted),
    percent("Of all", "percentFullyDiluted"),
  ];
  const rows: Row[] = holders.map(({ name, outstanding, fullyDiluted, percentFullyDiluted }) => {
    return { name, outstanding, fullyDiluted, percentFullyDiluted };
  });
  const { available, percentFullyDiluted } = pool;
  rows.push({ name: "Available for grants", outstanding: "0", fullyDiluted: available, percentFullyDiluted });
  const whole = totals.fullyDiluted === "0" ? "0.000000" : "100.000000";
  rows.push({ name: "Total", ...totals, percentFullyDiluted: whole });
  return fitted(rows, [columns], terminalWidth());
}

interface Point {
  readonly exitValue: string;
  readonly units: readonly Row[];
  readonly holders?: readonly Row[];
}

/** Units of one class may differ in the day from which their dividends accrue. */
function paidName({ name, accruesFrom }: Row): string {
  return accruesFrom ? `${name} (dividends since ${accruesFrom})` : (name ?? NO_HOLDER);
}

function pointLines(points: readonly Point[]): readonly string[] {
  return points.flatMap(({ exitValue, units, holders }) => {
    const columns = [
      { ...named("Paid", "name"), cell: paidName },
      columnOfFigures<Row>("Proceeds", (row) => row.proceeds),
      percent("Of all", "percent"),
      { heading: "HOW", cell: (row: Row) => row.outcome ?? "" },
    ];
    return [`At ${grouped(exitValue)}:`, ...fitted([...units, ...(holders ?? [])], [columns], terminalWidth()), ""];
  });
}
