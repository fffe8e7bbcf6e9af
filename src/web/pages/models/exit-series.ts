// The curves of an exit: proceeds at each value by class, or by holder, stacked. Exact; pure.
import { formatDecimal, parseDecimal, sum } from "../../../kernel/numbers/decimal.ts";
import { EXIT } from "../../text/models/exit.ts";
import type { ExitPoint } from "./exit-body.ts";

/** A band of the chart. */
export interface Band {
  readonly id: string;
  readonly name: string;
  readonly color: string;
  readonly isStriped?: boolean;
  /** One for each point; decimals. */
  readonly values: readonly string[];
}

const COLORS = ["c1", "c2", "c3", "c6", "c7"] as const;
const HOLDERS_SHOWN = 6;
const HOLDER_COLORS = ["c1", "c2", "c3", "c4", "c6", "c7"] as const;

type Unit = ExitPoint["units"][number];

/** What a unit is shown with: its class, or options, warrants, convertibles as one. */
function bandOf({ kind, stockClassId, name }: Unit): { readonly id: string; readonly name: string } {
  if (kind === "CONVERTIBLE") return { id: kind, name: EXIT.convertibles };
  if (kind === "OPTIONS") return { id: kind, name: EXIT.options };
  if (kind === "WARRANTS") return { id: kind, name: EXIT.warrants };
  return { id: stockClassId ?? name, name };
}

const total = (values: readonly string[]) => formatDecimal(sum(values.map(parseDecimal)));

/** By class: the common below, what is paid first on top. */
export function bandsByClass(points: readonly ExitPoint[]): readonly Band[] {
  const bands = new Map<string, { name: string; kind: Unit["kind"] }>();
  for (const unit of points[0]?.units.toReversed() ?? []) {
    const { id, name } = bandOf(unit);
    bands.set(id, { name, kind: unit.kind });
  }
  const ranked = [...bands].toSorted(([, a], [, b]) => rankOf(a.kind) - rankOf(b.kind));
  let next = 0;
  return ranked.map(([id, { name, kind }]) => {
    const isRight = kind === "OPTIONS" || kind === "WARRANTS" || kind === "CONVERTIBLE";
    const color = isRight ? RIGHT_COLORS[kind] : (COLORS[next++] ?? "c7");
    const values = points.map(({ units }) =>
      total(units.flatMap((unit) => (bandOf(unit).id === id ? [unit.proceeds] : []))),
    );
    return { id, name, color, values, isStriped: kind === "CONVERTIBLE" };
  });
}

const RIGHT_COLORS = { OPTIONS: "c4", WARRANTS: "c5", CONVERTIBLE: "c-pool" } as const;

function rankOf(kind: Unit["kind"]): number {
  return ["COMMON", "OPTIONS", "WARRANTS", "PREFERRED", "CONVERTIBLE"].indexOf(kind);
}

const keyOf = ({ stakeholderId, name }: { readonly stakeholderId: string | null; readonly name: string | null }) =>
  stakeholderId ?? `name ${name}`;

/** By holder: those who get most at the highest value, the others as one. */
export function bandsByHolder(points: readonly ExitPoint[]): readonly Band[] {
  const last = points.at(-1)?.holders ?? [];
  const shown = last.slice(0, HOLDERS_SHOWN);
  const ids = new Set(shown.map(keyOf));
  const paid = points.map(({ holders = [] }) => new Map(holders.map((each) => [keyOf(each), each.proceeds])));
  const bands = shown.map((holder, index): Band => {
    const id = keyOf(holder);
    const values = paid.map((each) => each.get(id) ?? "0");
    return { id, name: holder.name ?? "", color: HOLDER_COLORS[index] ?? "c7", values };
  });
  if (last.length <= HOLDERS_SHOWN) return bands;
  const values = points.map(({ holders = [] }) =>
    total(holders.flatMap((each) => (ids.has(keyOf(each)) ? [] : [each.proceeds]))),
  );
  return [...bands, { id: "others", name: EXIT.otherHolders, color: "c-pool", isStriped: true, values }];
}
