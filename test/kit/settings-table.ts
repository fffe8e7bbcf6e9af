// The README's table of settings, as the table in the code has it.
import { SETTINGS } from "../../src/server/config.ts";

/** The rows, without the heading. */
export function settingsTable(): string {
  const code = (text: string | null | undefined) => (text === null || text === undefined ? "" : `\`${text}\``);
  const rows = Object.values(SETTINGS).map((setting) => {
    const flag = "flag" in setting ? setting.flag : null;
    const cells = [code(flag), code(setting.variable), code(setting.default), setting.doc];
    return `|${cells.map((cell) => (cell === "" ? " " : ` ${cell} `)).join("|")}|`;
  });
  return rows.join("\n");
}
