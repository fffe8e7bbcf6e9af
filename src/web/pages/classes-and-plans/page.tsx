// `/o/{orgId}/classes-and-plans`: what can be issued, how much of it was, and how far the tokens are.

import { Link } from "wouter-preact";
import { total } from "../../../kernel/numbers/decimal.ts";
import type { Schemas } from "../../api/client.ts";
import { ExportMenu } from "../../frame/export-menu.tsx";
import { declaredColumns, type OwnColumn } from "../../frame/lists/declared-list.tsx";
import { useCapTable, useClasses, usePlans } from "../../frame/lists/register-lists.ts";
import { useOrganization } from "../../frame/page-organization.ts";
import { RecordMenu } from "../../frame/record-menu.tsx";
import { type ShareClass, TokenState } from "../../frame/token.tsx";
import { Day, Quantity } from "../../parts/figure.tsx";
import { Card, PageHead } from "../../parts/page-head.tsx";
import { Empty, Loaded } from "../../parts/states.tsx";
import { Table } from "../../parts/tables/table.tsx";
import { usePoll } from "../../parts/use-poll.ts";
import { CLASSES } from "../../text/classes.ts";
import { AddLink } from "../classes/edit-links.tsx";
import { preferenceOf } from "../classes/preference.ts";
import { TermsCard } from "../classes/terms-card.tsx";
import { Use } from "../classes/use.tsx";

type CapTable = Schemas["CapTable"];
type ClassRow = ShareClass & { readonly figures: CapTable["shareClasses"][number] | undefined };
type PlanRow = Schemas["EquityPlan"] & { readonly figures: CapTable["equityPlans"][number] | undefined };

function NameCell({ page, id, name, note }: Readonly<Record<"page" | "id" | "name" | "note", string>>) {
  const { path } = useOrganization();
  return (
    <>
      <Link href={path(`/classes-and-plans/${page}/${id}`)}>{name}</Link>
      {note && <span class="under note">{note}</span>}
    </>
  );
}

const limitColumn = <T extends { readonly figures: { readonly available: string } | undefined }>(): OwnColumn<T> => ({
  isFigure: true,
  cell: ({ figures }) => <Quantity value={figures?.available} />,
});

const CLASS_COLUMNS = declaredColumns<"share-classes", ClassRow>("share-classes", {
  name: {
    cell: ({ id, name, classType }) => <NameCell page="classes" {...{ id, name }} note={CLASSES.types[classType]} />,
  },
  authorized: {
    isFigure: true,
    isWide: true,
    cell: ({ currentSharesAuthorized }) => <Quantity value={currentSharesAuthorized} />,
  },
  issued: {
    isFigure: true,
    cell: ({ figures }) => <Quantity value={figures?.issued} isZeroDimmed />,
  },
  available: limitColumn(),
  use: {
    isWide: true,
    class: "used",
    cell: ({ figures }) => figures && <Use used={figures.issued} limit={figures.authorized} />,
  },
  seniority: { isFigure: true, isWide: true, cell: ({ seniority }) => seniority },
  preference: { isWide: true, cell: (row) => preferenceOf(row) },
  votes: {
    isFigure: true,
    isWide: true,
    cell: ({ votesPerShare }) => <Quantity value={votesPerShare} />,
  },
  token: {
    isWide: true,
    cell: ({ tokenizationStatus }) => <TokenState status={tokenizationStatus} />,
  },
});

const PLAN_COLUMNS = declaredColumns<"equity-plans", PlanRow>("equity-plans", {
  name: {
    cell: ({ id, name, planType }) => <NameCell page="plans" {...{ id, name }} note={planType ?? ""} />,
  },
  reserved: {
    isFigure: true,
    isWide: true,
    cell: ({ figures }) => <Quantity value={figures?.reserved} />,
  },
  granted: {
    isFigure: true,
    cell: ({ figures }) => <Quantity value={figures?.granted} isZeroDimmed />,
  },
  exercised: {
    isFigure: true,
    isWide: true,
    cell: ({ figures }) => <Quantity value={figures?.exercised} isZeroDimmed />,
  },
  available: limitColumn(),
  use: {
    isWide: true,
    class: "used",
    cell: ({ figures }) =>
      figures && <Use used={total([figures.granted, figures.exercised])} limit={figures.reserved} color="c4" />,
  },
  adopted: { isWide: true, cell: ({ adoptedDate }) => <Day value={adoptedDate} /> },
  expires: {
    isWide: true,
    cell: ({ expirationDate }) => <Day value={expirationDate} />,
  },
});

const TABLES = [
  "/api/v1/reports/summary.csv",
  "/api/v1/reports/authorized.csv",
  "/api/v1/reports/pool.csv",
  "/api/v1/reports/pool-history.csv",
] as const;

/** The page. */
export function Page() {
  const { name } = useOrganization();
  const [classes, plans, table] = [useClasses(), usePlans(), useCapTable()];
  usePoll(
    classes.data?.items.some(({ tokenizationStatus }) => tokenizationStatus === "PENDING") === true,
    classes.reload,
  );
  const ofClass = new Map((table.data?.shareClasses ?? []).map((each) => [each.id, each]));
  const ofPlan = new Map((table.data?.equityPlans ?? []).map((each) => [each.id, each]));
  return (
    <>
      <PageHead title={CLASSES.title} of={name}>
        <ExportMenu tables={TABLES} />
        <RecordMenu />
      </PageHead>
      <Card
        title={CLASSES.classes}
        note={CLASSES.seniorityNote}
        actions={classes.data?.items.length !== 0 && <AddLink kind="share-class" />}
      >
        <Loaded query={classes} what={CLASSES.loading}>
          {({ items }) =>
            items.length === 0 ? (
              <Empty words={CLASSES.none}>
                <AddLink kind="share-class" />
              </Empty>
            ) : (
              <Table
                label={CLASSES.classes}
                columns={CLASS_COLUMNS}
                rows={items
                  .toSorted((a, b) => a.seniority - b.seniority)
                  .map((each) => ({ ...each, figures: ofClass.get(each.id) }))}
                keyOf={({ id }) => id}
              />
            )
          }
        </Loaded>
      </Card>
      <Card title={CLASSES.plans} actions={plans.data?.items.length !== 0 && <AddLink kind="equity-plan" />}>
        <Loaded query={plans} what={CLASSES.loading}>
          {({ items }) =>
            items.length === 0 ? (
              <Empty words={CLASSES.noPlan}>
                <AddLink kind="equity-plan" />
              </Empty>
            ) : (
              <Table
                label={CLASSES.plans}
                columns={PLAN_COLUMNS}
                rows={items.map((each) => ({ ...each, figures: ofPlan.get(each.id) }))}
                keyOf={({ id }) => id}
              />
            )
          }
        </Loaded>
      </Card>
      <TermsCard />
    </>
  );
}
