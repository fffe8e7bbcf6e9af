// captable holder: what one stakeholder holds, with vesting, as a table that fits the terminal, CSV, or the API's JSON.
import type { Command } from "commander";
import { type Field, figureField, textField } from "../../src/kernel/files/csv.ts";
import { systemRuntime, toUtcDate } from "../../src/kernel/runtime.ts";
import { ratioLine } from "../../src/views/cap-table/layout/ratios.ts";
import { readHolderPosition } from "../../src/views/cap-table/position.ts";
import { type Column, columnOfFigures, fitted, grouped, terminalWidth, toCsv } from "../columns.ts";
import { newCommand, print, printText, withDataDir, withExamples } from "../command.ts";
import { csvOptionsOf } from "../csv-options.ts";
import { holderNamed } from "./holder-name.ts";
import { momentInWords, type Shown, type ViewOptions, withView, withViewOptions } from "./view.ts";

type Position = ReturnType<typeof readHolderPosition>;
type Held = Position["securities"][number];

/** Declares `captable holder`. */
export function holderCommand(): Command {
  const command = newCommand("holder", "Show what a stakeholder holds, and what of it has vested.").argument(
    "<name or id>",
    "the stakeholder",
  );
  withDataDir(withViewOptions(command));
  withExamples(command, 'captable holder "Ada Lovelace"', "captable holder ada@example.com --as-of 2026-01-31 --json");
  return command.action((name: string, options: ViewOptions) =>
    withView(options, (shown) => {
      const { db, organization, view, knownAt } = shown;
      const id = holderNamed(db, organization.id, name);
      const position = readHolderPosition(db, organization.id, view, { id, today: toUtcDate(systemRuntime.nowMs()) });
      if (options.csv) {
        printText(options, null, toCsv(asCsv(position, shown), csvOptionsOf(options)));
        return;
      }
      const heading = `${position.stakeholder.displayName}, ${organization.legalName}, ${momentInWords(shown, options)}`;
      print(options, { ...position, knownAt }, [heading, "", ...describe(position, shown)]);
    }),
  );
}

function describe({ totals, byClass, securities, convertibles }: Position, shown: Shown): readonly string[] {
  const { asConverted, vested, unvested, exercisable, percentAsConverted } = totals;
  if (securities.length + convertibles.length === 0) return ["Holds nothing."];
  const sums = [
    `Total ${grouped(asConverted)}, ${percentAsConverted}% fully diluted.`,
    `Vested ${grouped(vested)}, unvested ${grouped(unvested)}, exercisable ${grouped(exercisable)}.`,
  ];
  const ratios = ratioLine(heldClasses(byClass, shown));
  const principal = convertibles.map(({ certificateId, quantity }) => {
    return `Convertible ${certificateId}: ${grouped(String(quantity))}, not counted until converted.`;
  });
  const below = [...sums, ...(ratios === null ? [] : [`${ratios}.`])];
  const table =
    securities.length === 0 ? [] : [...fitted(securities, layoutsFor(shown), terminalWidth()), "", ...below];
  const ahead = [...securities, ...convertibles].flatMap(({ id, certificateId, ahead: entries }) =>
    entries.map(({ type, effectiveDate }) => {
      return `${certificateId ?? id}: ${type.toLowerCase().replaceAll("_", " ")} from ${effectiveDate}.`;
    }),
  );
  const stops = securities.flatMap(({ id, certificateId, vestingStoppedOn }) => {
    return vestingStoppedOn ? [`${certificateId ?? id}: Vesting stopped on ${vestingStoppedOn}.`] : [];
  });
  return [...table, ...stops, ...ahead, ...principal];
}

/** The classes of which something is held, with how they convert. */
function heldClasses(lines: Position["byClass"], { view: { names } }: Shown) {
  return lines.map(({ stockClassId, conversion }) => {
    return { name: names.classes.find(({ id }) => id === stockClassId)?.name ?? "", conversion };
  });
}

function layoutsFor(shown: Shown): readonly (readonly Column<Held>[])[] {
  const certificate = words("CERTIFICATE", ({ certificateId }) => certificateId);
  const type = words("TYPE", (held) => typeInWords(held));
  const of: Column<Held> = { ...words("OF", (held) => nameOf(held, shown)), isCut: true };
  const since = words("SINCE", ({ grantDate }) => grantDate);
  const quantity = figures("QUANTITY", (held) => held.quantity);
  const vesting = [figures("VESTED", (held) => held.vested), figures("UNVESTED", (held) => held.unvested)];
  const exercise = [
    figures("EXERCISED", (held) => held.exercised),
    figures("EXERCISABLE", (held) => held.exercisable),
    words("UNTIL", untilOf),
  ];
  const price = figures("PRICE", (held) => held.exercisePrice ?? held.pricePerShare);
  return [
    [certificate, type, of, since, quantity, ...vesting, price, ...exercise],
    [certificate, type, of, quantity, ...vesting, ...exercise.slice(1)],
    [certificate, type, of, quantity, ...vesting, ...exercise.slice(1, 2)],
    [certificate, type, quantity, ...vesting],
    [certificate, quantity, ...vesting],
  ];
}

const figures = columnOfFigures<Held>;

function words(heading: string, of: (held: Held) => unknown): Column<Held> {
  return { heading, cell: (held) => String(of(held) ?? "-") };
}

/** Stock keeps the option's last day on record, and has nothing left to exercise. */
function untilOf({ type, exercisableUntil }: Held): string | null {
  return type === "STOCK" ? null : exercisableUntil;
}

function typeInWords({ type, optionType }: Held): string {
  if (type === "STOCK_OPTION") return optionType === null ? "option" : `option ${optionType}`;
  return String(type).toLowerCase();
}

/** The plan of an option, and the class of all else. */
function nameOf({ type, stockClassId, equityPlanId }: Held, { view: { names } }: Shown): string | null {
  const plan = names.plans.find(({ id }) => id === equityPlanId)?.planName ?? null;
  const stockClass = names.classes.find(({ id }) => id === stockClassId)?.name ?? null;
  return type === "STOCK_OPTION" ? (plan ?? stockClass) : stockClass;
}

/** A record for each security, with every figure; a convertible's principal is money, and no quantity. */
function asCsv({ securities, convertibles }: Position, shown: Shown): readonly (readonly Field[])[] {
  const words = (each: unknown) => textField(String(each ?? ""));
  const figure = (each: unknown) => figureField(String(each ?? ""));
  const heading = [
    ...["Certificate", "Id", "Type", "Of", "Since", "Quantity", "Vested", "Unvested"],
    ...["Exercised", "Exercisable", "Exercisable until", "Price", "Principal"],
  ].map(textField);
  const rows = securities.map((held) => [
    ...[held.certificateId, held.id, held.type, nameOf(held, shown)].map(words),
    ...[held.grantDate, held.quantity, held.vested, held.unvested, held.exercised, held.exercisable].map(figure),
    ...[untilOf(held), held.exercisePrice ?? held.pricePerShare, ""].map(figure),
  ]);
  const money = convertibles.map(({ certificateId, id, type, grantDate, quantity }) => [
    ...[certificateId, id, type, ""].map(words),
    ...[grantDate, "", "", "", "", "", "", "", quantity].map(figure),
  ]);
  return [heading, ...rows, ...money];
}
