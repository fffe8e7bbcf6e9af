// `/o/{orgId}/classes-and-plans/plans/{id}`: an equity plan, its pool, and what was granted under it.
import { total } from "../../../kernel/numbers/decimal.ts";
import { answer, type Schemas } from "../../api/client.ts";
import { useQuery } from "../../api/query.ts";
import { DocumentsOf } from "../../frame/lists/documents-of.tsx";
import { useCapTable } from "../../frame/lists/register-lists.ts";
import { ClassLink } from "../../frame/names.tsx";
import { useOrganization } from "../../frame/page-organization.ts";
import { RecordMenu } from "../../frame/record-menu.tsx";
import { Day, None, Quantity } from "../../parts/figure.tsx";
import { Badge } from "../../parts/notice.tsx";
import { Card, Facts, PageHead } from "../../parts/page-head.tsx";
import { Loaded } from "../../parts/states.tsx";
import { FigureStrip } from "../../parts/strip.tsx";
import { CLASSES } from "../../text/classes.ts";
import { FRAME } from "../../text/frame.ts";
import { REGISTER } from "../../text/register-words.ts";
import { Limits } from "../classes/class-limits.tsx";
import { EditLink } from "../classes/edit-links.tsx";
import { Issued } from "../classes/issued.tsx";
import { Use } from "../classes/use.tsx";

type Plan = Schemas["EquityPlan"];

/** The page. */
export function Page({ params: { id = "" } }: { readonly params: Readonly<Record<string, string>> }) {
  const { api, key, name, path } = useOrganization();
  const query = useQuery(key("equity-plan", id), (signal) =>
    answer<Plan>(api.GET("/api/v1/equity-plans/{id}", { params: { path: { id } }, signal })),
  );
  return (
    <>
      <PageHead
        title={query.data?.name ?? CLASSES.title}
        of={name}
        meta={query.data?.planType && <Badge tone="plain">{query.data.planType}</Badge>}
      >
        <EditLink kind="equity-plan" id={id} />
        <RecordMenu />
      </PageHead>
      <Loaded
        query={query}
        what={CLASSES.onePlan}
        noun={CLASSES.planNoun}
        list={{ label: FRAME.classesAndPlans, href: path("/classes-and-plans") }}
        lines={10}
      >
        {(plan) => (
          <>
            <Figures id={id} />
            <div class="columns">
              <Card title={CLASSES.terms}>
                <Terms plan={plan} />
              </Card>
              <Limits of={{ kind: "plan", id }} first={plan.initialSharesReserved} now={plan.totalSharesReserved} />
            </div>
            <Issued of={{ equityPlanId: id }} />
            <Card title={REGISTER.documents}>
              <DocumentsOf objectType="STOCK_PLAN" objectId={id} />
            </Card>
          </>
        )}
      </Loaded>
    </>
  );
}

function Figures({ id }: { readonly id: string }) {
  const figures = useCapTable().data?.equityPlans.find((each) => each.id === id);
  return (
    <FigureStrip
      figures={[
        { name: CLASSES.reserved, figure: <Quantity value={figures?.reserved} /> },
        {
          name: CLASSES.granted,
          figure: <Quantity value={figures?.granted} />,
          note: CLASSES.grantedNote,
        },
        { name: CLASSES.exercised, figure: <Quantity value={figures?.exercised} /> },
        {
          name: CLASSES.pool,
          figure: <Quantity value={figures?.available} />,
          note: figures && (
            <Use used={total([figures.granted, figures.exercised])} limit={figures.reserved} color="c4" />
          ),
        },
      ]}
    />
  );
}

function Terms({ plan }: { readonly plan: Plan }) {
  const { planType, stockClassIds, defaultCancellationBehavior, adoptedDate, expirationDate, comments } = plan;
  const classes = stockClassIds.map((id, index) => (
    <span key={id}>
      {index > 0 && ", "}
      <ClassLink id={id} />
    </span>
  ));
  return (
    <>
      <Facts
        facts={[
          [CLASSES.planType, planType ?? <None />],
          [CLASSES.ofClasses, classes.length === 0 ? <None /> : classes],
          [CLASSES.cancelled, CLASSES.cancellation[defaultCancellationBehavior]],
          [CLASSES.adopted, <Day key="adopted" value={adoptedDate} />],
          [CLASSES.expires, <Day key="expires" value={expirationDate} />],
          [REGISTER.boardApproval, <Day key="board" value={plan.boardApprovalDate} />],
          [REGISTER.holderApproval, <Day key="holders" value={plan.stockholderApprovalDate} />],
        ]}
      />
      {comments && <p class="comment">{comments}</p>}
    </>
  );
}
