// What a round makes of the cap table: its figures, who owns what before and after, new classes and investments.
import { formatDecimal, parseDecimal } from "../../../kernel/numbers/decimal.ts";
import { percentOf } from "../../locale.ts";
import { type BarPart, OwnershipBar } from "../../parts/charts/ownership-bar.tsx";
import { Money, Percent, Quantity } from "../../parts/figure.tsx";
import { Card } from "../../parts/page-head.tsx";
import { FigureStrip } from "../../parts/strip.tsx";
import { Swatch } from "../../parts/swatch.tsx";
import { type Column, Table } from "../../parts/tables/table.tsx";
import { MODELS } from "../../text/models/models.ts";
import { ROUND } from "../../text/models/round.ts";
import { ModelWarnings } from "./asked.tsx";
import { Adjusted, Conversions } from "./conversions.tsx";
import { ModelHolder } from "./holder.tsx";
import type { RoundAnswer } from "./round-body.ts";

type ModelTable = RoundAnswer["after"];

/** All that the round answers. */
export function RoundResult({ round }: { readonly round: RoundAnswer }) {
  return (
    <>
      <Figures round={round} />
      <ModelWarnings warnings={round.warnings} />
      <Ownership round={round} />
      <Holders round={round} />
      <Conversions round={round} />
      <Adjusted round={round} />
      <Classes round={round} />
      <Authorization round={round} />
    </>
  );
}

function Figures({ round }: { readonly round: RoundAnswer }) {
  const { pricePerShare, exactPricePerShare, pool } = round;
  const isExact = parseDecimal(pricePerShare) === parseDecimal(exactPricePerShare);
  return (
    <FigureStrip
      figures={[
        {
          name: ROUND.pricePerShare,
          figure: <Money value={pricePerShare} />,
          note: !isExact && ROUND.exact(exactPricePerShare),
        },
        {
          name: ROUND.preMoney,
          figure: <Money value={round.preMoneyValuation} />,
          note: ROUND.effective(round.effectivePreMoney),
        },
        {
          name: ROUND.postMoney,
          figure: <Money value={round.postMoneyValuation} />,
          note: ROUND.effective(round.effectivePostMoney),
        },
        { name: ROUND.newMoney, figure: <Money value={round.newMoney} />, note: ROUND.cash(round.cash) },
        { name: ROUND.newShares, figure: <Quantity value={round.newShares} /> },
        {
          name: ROUND.poolAfter,
          figure: <Percent value={pool.percentAfter} />,
          note: ROUND.poolIncrease(pool.increase),
        },
      ]}
    />
  );
}

const COLORS = ["c1", "c2", "c3", "c6", "c7"] as const;

/** The parts of the whole: a class, options, warrants, the pool. */
function partsOf({ classes, totals }: ModelTable, colors: ReadonlyMap<string, string>): readonly BarPart[] {
  const part = (id: string, name: string, color: string, quantity: string): BarPart => {
    const percent = percentOf(quantity, totals.fullyDiluted);
    return { id, name, color, quantity, percent, isStriped: id === "pool" };
  };
  return [
    ...classes.map(({ name, asConverted }) => part(name, name, colors.get(name) ?? "c7", asConverted)),
    part("options", MODELS.options, "c4", totals.options),
    part("warrants", MODELS.warrants, "c5", totals.warrants),
    part("pool", MODELS.pool, "c-pool", totals.poolAvailable),
  ].filter(({ quantity }) => quantity !== "0");
}

function labelOf(parts: readonly BarPart[]): string {
  return parts.map(({ name, percent }) => ROUND.part(name, percent ?? "0")).join(", ");
}

function Ownership({ round: { before, after } }: { readonly round: RoundAnswer }) {
  const names = after.classes.map(({ name }) => name);
  const colors = new Map(names.map((name, index) => [name, COLORS[index] ?? "c7"]));
  const [was, is] = [partsOf(before, colors), partsOf(after, colors)];
  const was1 = new Map(was.map((part) => [part.id, part]));
  return (
    <Card title={ROUND.ownership}>
      <p class="note">{ROUND.beforeBar}</p>
      <OwnershipBar parts={was} label={labelOf(was)} />
      <p class="note">{ROUND.afterBar}</p>
      <OwnershipBar parts={is} label={labelOf(is)} />
      <Table
        label={ROUND.ownership}
        rows={is}
        keyOf={({ id }) => id}
        columns={[
          {
            id: "class",
            label: MODELS.class,
            cell: ({ name, color, isStriped }) => (
              <>
                <Swatch color={color} isStriped={isStriped} /> {name}
              </>
            ),
          },
          {
            id: "before",
            label: ROUND.before,
            isFigure: true,
            cell: ({ id }) => <Percent value={was1.get(id)?.percent} />,
          },
          { id: "after", label: ROUND.after, isFigure: true, cell: ({ percent }) => <Percent value={percent} /> },
          {
            id: "shares",
            label: MODELS.shares,
            isFigure: true,
            isWide: true,
            cell: ({ quantity }) => <Quantity value={quantity} />,
          },
        ]}
      />
    </Card>
  );
}

interface HolderRow {
  readonly id: string;
  readonly stakeholderId: string | null;
  readonly name: string | null;
  readonly before: string | undefined;
  readonly after: string | undefined;
  readonly percentBefore: string;
  readonly percentAfter: string;
  readonly points: string;
  readonly dilution: string | null;
}

const keyOf = ({ stakeholderId, name }: { readonly stakeholderId: string | null; readonly name: string | null }) =>
  stakeholderId ?? `name ${name}`;

function rowsOf({ before, after, dilution }: Pick<RoundAnswer, "before" | "after" | "dilution">): readonly HolderRow[] {
  const sharesIn = (table: ModelTable) => new Map(table.holders.map((each) => [keyOf(each), each.fullyDiluted]));
  const [was, is] = [sharesIn(before), sharesIn(after)];
  return dilution.map((each) => ({
    ...each,
    id: keyOf(each),
    before: was.get(keyOf(each)),
    after: is.get(keyOf(each)),
    dilution: each.dilutionPercent,
  }));
}

const COLUMNS: readonly Column<HolderRow>[] = [
  { id: "holder", label: MODELS.who, cell: (row) => <HolderCell row={row} /> },
  {
    id: "before",
    label: ROUND.sharesBefore,
    isFigure: true,
    isWide: true,
    cell: ({ before }) => <Quantity value={before ?? null} />,
  },
  {
    id: "percent-before",
    label: ROUND.percentBefore,
    isFigure: true,
    cell: ({ before, percentBefore }) => <Percent value={before === undefined ? null : percentBefore} />,
  },
  {
    id: "after",
    label: ROUND.sharesAfter,
    isFigure: true,
    isWide: true,
    cell: ({ after }) => <Quantity value={after ?? null} />,
  },
  {
    id: "percent-after",
    label: ROUND.percentAfter,
    isFigure: true,
    cell: ({ percentAfter }) => <Percent value={percentAfter} />,
  },
  { id: "points", label: ROUND.points, isFigure: true, isWide: true, cell: ({ points }) => <Percent value={points} /> },
  {
    id: "dilution",
    label: ROUND.dilution,
    isFigure: true,
    isWide: true,
    cell: ({ dilution }) => <Percent value={dilution} />,
  },
];

/** Where there is little room, the shares stand under the name. */
function HolderCell({ row }: { readonly row: HolderRow }) {
  return (
    <>
      <ModelHolder {...row} />
      <span class="only-narrow dim">
        <Quantity value={row.after ?? null} />
      </span>
    </>
  );
}

function Holders({ round }: { readonly round: RoundAnswer }) {
  const { before, after } = round;
  const points = formatSigned(
    parseDecimal(after.pool.percentFullyDiluted) - parseDecimal(before.pool.percentFullyDiluted),
  );
  return (
    <Card title={ROUND.table} note={ROUND.dilutionHint}>
      <Table label={ROUND.table} columns={COLUMNS} rows={rowsOf(round)} keyOf={({ id }) => id}>
        <tr>
          <th scope="row">{MODELS.pool}</th>
          <td class="num wide">
            <Quantity value={before.pool.available} />
          </td>
          <td class="num">
            <Percent value={before.pool.percentFullyDiluted} />
          </td>
          <td class="num wide">
            <Quantity value={after.pool.available} />
          </td>
          <td class="num">
            <Percent value={after.pool.percentFullyDiluted} />
          </td>
          <td class="num wide">
            <Percent value={points} />
          </td>
          <td class="wide" />
        </tr>
        <tr class="total">
          <th scope="row">{MODELS.total}</th>
          <td class="num wide">
            <Quantity value={before.totals.fullyDiluted} />
          </td>
          <td class="num" />
          <td class="num wide">
            <Quantity value={after.totals.fullyDiluted} />
          </td>
          <td class="num" />
          <td class="wide" />
          <td class="wide" />
        </tr>
      </Table>
    </Card>
  );
}

function formatSigned(value: bigint): string {
  return value < 0n ? `-${formatDecimal(-value)}` : formatDecimal(value);
}

function Classes({ round: { classes, investments } }: { readonly round: RoundAnswer }) {
  return (
    <Card title={ROUND.classes}>
      <Table
        label={ROUND.classes}
        rows={classes}
        keyOf={({ name }) => name}
        columns={[
          { id: "name", label: MODELS.class, cell: ({ name }) => name },
          { id: "role", label: ROUND.role, isWide: true, cell: ({ role }) => ROUND.roles[role] },
          {
            id: "price",
            label: MODELS.price,
            isFigure: true,
            cell: ({ pricePerShare }) => <Money value={pricePerShare} />,
          },
          {
            id: "preference",
            label: ROUND.liquidation,
            isFigure: true,
            isWide: true,
            cell: ({ liquidationPreference }) => <Money value={liquidationPreference} />,
          },
          { id: "shares", label: MODELS.shares, isFigure: true, cell: ({ shares }) => <Quantity value={shares} /> },
        ]}
      />
      <Table
        label={ROUND.investors}
        rows={investments}
        keyOf={(each) => `${each.kind} ${keyOf(each)}`}
        columns={[
          { id: "who", label: ROUND.investor, cell: (row) => <ModelHolder {...row} /> },
          { id: "kind", label: ROUND.role, isWide: true, cell: ({ kind }) => ROUND.kind[kind] },
          { id: "cost", label: ROUND.cost, isFigure: true, cell: ({ cost }) => <Money value={cost} /> },
          {
            id: "unused",
            label: ROUND.unused,
            isFigure: true,
            isWide: true,
            cell: ({ unused }) => <Money value={unused} />,
          },
          { id: "shares", label: MODELS.shares, isFigure: true, cell: ({ shares }) => <Quantity value={shares} /> },
        ]}
      />
    </Card>
  );
}

function Authorization({ round: { authorization } }: { readonly round: RoundAnswer }) {
  return (
    <Card title={ROUND.authorization}>
      <Table
        label={ROUND.authorization}
        rows={authorization}
        keyOf={({ name }) => name}
        columns={[
          { id: "name", label: MODELS.class, cell: ({ name }) => name },
          {
            id: "authorized",
            label: ROUND.authorized,
            isFigure: true,
            isWide: true,
            cell: ({ authorized }) => <Quantity value={authorized} />,
          },
          { id: "needed", label: ROUND.needed, isFigure: true, cell: ({ needed }) => <Quantity value={needed} /> },
          {
            id: "shortfall",
            label: ROUND.shortfall,
            isFigure: true,
            cell: ({ shortfall }) => <Quantity value={shortfall} isZeroDimmed />,
          },
        ]}
      />
    </Card>
  );
}
