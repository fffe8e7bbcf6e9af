// Options of a spreadsheet import, from the body of a request or as `name=value` on the command line.
import { type Static, Type } from "@sinclair/typebox";
import { findFaults } from "../../kernel/check.ts";
import { body, date, oneOf, optional } from "../../kernel/fields.ts";
import type { ImportOptions } from "./record/importing.ts";

/** The formats that can be asked for; `AUTO` takes the one that the file is in. */
export const FORMAT_NAMES = ["AUTO", "CAPTABLE", "CARTA_TEMPLATE", "CARTA_LEDGERS", "OCX", "PULLEY"] as const;

/** `options` of an import. */
export const ImportOptionsBody = body({
  dateOrder: optional(oneOf(["MDY", "DMY"], { description: "Which part of 1/2/2026 is the month." })),
  decimal: optional(
    oneOf(["POINT", "COMMA"], {
      description:
        "What parts decimals. Left out it is what the mapping says, else the point where the file shows it; in a file that does not, what can be thousands as well, such as 1.000 or 1,250, is a problem.",
    }),
  ),
  asOf: optional(date({ description: "The day that the file is of, in place of what it says." })),
  existing: optional(
    oneOf(["MUST_EQUAL", "SKIP"], {
      description:
        "Numbers that are recorded already and differ: a problem (`MUST_EQUAL`, where left out), or left out.",
    }),
  ),
  skipUnsupported: optional(Type.Boolean({ description: "Leave awards out that are not kept, such as RSUs." })),
  vesting: optional(
    oneOf(["TERMS", "AS_VESTED"], {
      description:
        "Vesting schedules that are not understood: a problem until terms of that name are recorded (`TERMS`, where " +
        "left out), or their shares count as vested, and the words go to the comments.",
    }),
  ),
  strict: optional(Type.Boolean({ description: "Take warnings for problems." })),
});
export type GivenOptions = Static<typeof ImportOptionsBody>;

/** With the defaults of missing options. */
export function completeOptions(given: GivenOptions) {
  return {
    dateOrder: given.dateOrder ?? null,
    decimal: given.decimal ?? "POINT",
    isDecimalAssumed: (given.decimal ?? null) === null,
    asOf: given.asOf ?? null,
    existing: given.existing ?? "MUST_EQUAL",
    skipUnsupported: given.skipUnsupported ?? false,
    vesting: given.vesting ?? "TERMS",
    strict: given.strict ?? false,
  } satisfies Partial<ImportOptions>;
}

/** The options are invalid: one line says why. */
export class WrongOptions extends Error {
  override readonly name = "WrongOptions";
}

/** Reads `name=value` each. Throws {@link WrongOptions}. */
export function readOptions(texts: readonly string[]): GivenOptions {
  const members = texts.map((text) => {
    const at = text.indexOf("=");
    if (at < 1) throw new WrongOptions(`${text} is no option: write name=value`);
    const value = text.slice(at + 1);
    return [text.slice(0, at), value === "true" || value === "false" ? value === "true" : value] as const;
  });
  const given = Object.fromEntries(members);
  const [first] = findFaults(ImportOptionsBody, given);
  if (first) throw new WrongOptions(`the option ${first.path.replace(/^\//, "")} ${first.detail}`);
  return given as GivenOptions;
}
