import type { Service } from "../../../kit/in-process.ts";
import { ORACLE } from "../../../kit/ocf-material.ts";
import { runTool } from "../../../kit/tool.ts";
import type { Fields } from "../objects.ts";
import { readTotals } from "../reader.ts";
import type { Shape } from "./company.ts";

/** Who has how much on a day: sums by holder, class or family, without nothing. */
export type Figures = Readonly<Record<string, number>>;

function sumsOf(entries: Iterable<readonly [string, unknown]>): Figures {
  const sums = new Map<string, number>();
  for (const [key, quantity] of entries) sums.set(key, (sums.get(key) ?? 0) + Number(quantity));
  // Ten places, as the format has them.
  const known = [...sums].map(([key, sum]) => [key, Number(sum.toFixed(8))] as const);
  return Object.fromEntries(known.filter(([, sum]) => sum !== 0).sort());
}

/** What the cap table of that day says. */
export async function shown(home: Service, orgId: string, day: string): Promise<Figures> {
  const { data } = (await home.api("GET", `/cap-table?asOf=${day}`, undefined, { orgId })).json;
  return sumsOf([
    ...data.stakeholders.flatMap(({ id, holdings, options, warrants }: Shape) => [
      ...holdings.map(({ stockClassId, quantity }: Shape) => [`${id} ${stockClassId}`, quantity]),
      [`${id} options`, options],
      [`${id} warrants`, warrants],
    ]),
    ...data.shareClasses.map(({ id, issued }: Shape) => [`class ${id}`, issued]),
  ]);
}

const WORDS: Readonly<Record<string, string>> = { EQUITY_COMPENSATION: "options", WARRANT: "warrants" };

/** The same, added up from the objects dated until that day. */
export function read(objects: readonly Fields[], day: string): Figures {
  const dated = objects.filter(({ date }) => date === undefined || String(date) <= day);
  const { classes, holdings } = readTotals(dated);
  return sumsOf([
    ...Object.entries(holdings).map(([key, quantity]) => {
      const [holder, family = "", classId] = key.split("|");
      return [`${holder} ${WORDS[family] ?? classId}`, quantity] as const;
    }),
    ...Object.entries(classes).map(([id, quantity]) => [`class ${id}`, quantity] as const),
  ]);
}

/** The same, by the independent tool. */
export async function asked(path: string, day: string): Promise<Figures> {
  const said = JSON.parse(await runTool(ORACLE, [path, `--as-of=${day}`]));
  const holders = Object.entries(said.stakeholders as Shape).flatMap(([id, held]) => {
    const { stock, equityCompensation, warrants } = held as Shape;
    return [
      ...Object.entries(stock).map(([classId, quantity]) => [`${id} ${classId}`, quantity] as const),
      ...Object.values(equityCompensation).map((quantity) => [`${id} options`, quantity] as const),
      [`${id} warrants`, warrants] as const,
    ];
  });
  const classes = Object.entries(said.stockClasses as Shape).map(([id, of]) => [`class ${id}`, (of as Shape).issued]);
  return sumsOf([...holders, ...(classes as [string, unknown][])]);
}
