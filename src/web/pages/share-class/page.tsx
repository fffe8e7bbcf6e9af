// `/o/{orgId}/classes-and-plans/classes/{id}`: a share class, its limit and how it is used, its token, what was issued.
import { total } from "../../../kernel/numbers/decimal.ts";
import { answer } from "../../api/client.ts";
import { useQuery } from "../../api/query.ts";
import { DocumentsOf } from "../../frame/lists/documents-of.tsx";
import { useCapTable, usePlans } from "../../frame/lists/register-lists.ts";
import { useOrganization } from "../../frame/page-organization.ts";
import { RecordMenu } from "../../frame/record-menu.tsx";
import { type ShareClass, TokenCard } from "../../frame/token.tsx";
import { Day, Money, Quantity } from "../../parts/figure.tsx";
import { Badge } from "../../parts/notice.tsx";
import { Card, Facts, PageHead } from "../../parts/page-head.tsx";
import { Loaded } from "../../parts/states.tsx";
import { FigureStrip } from "../../parts/strip.tsx";
import { usePoll } from "../../parts/use-poll.ts";
import { CLASSES } from "../../text/classes.ts";
import { FRAME } from "../../text/frame.ts";
import { REGISTER } from "../../text/register-words.ts";
import { Limits } from "../classes/class-limits.tsx";
import { EditLink } from "../classes/edit-links.tsx";
import { Issued } from "../classes/issued.tsx";
import { preferenceOf } from "../classes/preference.ts";
import { Use } from "../classes/use.tsx";

/** The page. */
export function Page({ params: { id = "" } }: { readonly params: Readonly<Record<string, string>> }) {
  const { api, key, name, path } = useOrganization();
  const query = useQuery(key("share-class", id), (signal) =>
    answer<ShareClass>(api.GET("/api/v1/share-classes/{id}", { params: { path: { id } }, signal })),
  );
  usePoll(query.data?.tokenizationStatus === "PENDING", query.reload);
  const found = query.data;
  return (
    <>
      <PageHead
        title={found?.name ?? CLASSES.title}
        of={name}
        meta={found && <Badge tone="plain">{CLASSES.types[found.classType]}</Badge>}
      >
        <EditLink kind="share-class" id={id} />
        <RecordMenu />
      </PageHead>
      <Loaded
        query={query}
        what={CLASSES.one}
        noun={CLASSES.noun}
        list={{ label: FRAME.classesAndPlans, href: path("/classes-and-plans") }}
        lines={10}
      >
        {(shareClass) => (
          <>
            <Figures shareClass={shareClass} />
            <div class="columns">
              <Card title={CLASSES.terms}>
                <Terms shareClass={shareClass} />
              </Card>
              <div class="stack">
                <TokenCard shareClass={shareClass} title={CLASSES.token} />
                <Limits
                  of={{ kind: "class", id }}
                  first={shareClass.initialSharesAuthorized}
                  now={shareClass.currentSharesAuthorized}
                />
              </div>
            </div>
            <Issued of={{ stockClassId: id }} />
            <Card title={REGISTER.documents}>
              <DocumentsOf objectType="STOCK_CLASS" objectId={id} />
            </Card>
          </>
        )}
      </Loaded>
    </>
  );
}

/** What is authorized, what was issued, what is promised. A plan's reserve is held of the first class that it names. */
function Figures({ shareClass: { id, currentSharesAuthorized } }: { readonly shareClass: ShareClass }) {
  const { data: table } = useCapTable();
  const plans = usePlans().data?.items ?? [];
  const figures = table?.shareClasses.find((each) => each.id === id);
  const counted = table?.byClass.find(({ stockClassId }) => stockClassId === id);
  const pools = (table?.equityPlans ?? []).filter((plan) =>
    plans.some((each) => each.id === plan.id && each.stockClassIds[0] === id),
  );
  const promised =
    table && total([counted?.options ?? "0", counted?.warrants ?? "0", ...pools.map((each) => each.available)]);
  return (
    <FigureStrip
      figures={[
        { name: CLASSES.authorized, figure: <Quantity value={currentSharesAuthorized} /> },
        {
          name: CLASSES.issued,
          figure: <Quantity value={figures?.issued} />,
          note: figures && <Use used={figures.issued} limit={figures.authorized} />,
        },
        { name: CLASSES.available, figure: <Quantity value={figures?.available} /> },
        { name: CLASSES.reserved, figure: <Quantity value={promised} />, note: CLASSES.reservedNote },
      ]}
    />
  );
}

/** How a lower price adjusts its conversion price; and by what, where it does. */
function antiDilutionOf({
  antiDilution,
  antiDilutionCounts: counts,
}: ShareClass): readonly (readonly [string, string])[] {
  const method = [CLASSES.antiDilution, CLASSES.antiDilutions[antiDilution]] as const;
  if (antiDilution === "NONE") return [method];
  return [method, [CLASSES.antiDilutionCounts, counts ? CLASSES.antiDilutionCountings[counts] : CLASSES.notSaid]];
}

function Terms({ shareClass }: { readonly shareClass: ShareClass }) {
  const { defaultIdPrefix, votesPerShare, parValue, pricePerShare, currency, seniority, comments } = shareClass;
  const isPreferred = shareClass.classType === "PREFERRED";
  return (
    <>
      <Facts
        facts={[
          [CLASSES.type, CLASSES.types[shareClass.classType]],
          [CLASSES.seniority, String(seniority)],
          [CLASSES.preference, preferenceOf(shareClass)],
          [CLASSES.votes, <Quantity key="votes" value={votesPerShare} />],
          [CLASSES.par, <Money key="par" value={parValue} currency={currency} />],
          [CLASSES.price, <Money key="price" value={pricePerShare} currency={currency} />],
          ...(isPreferred
            ? ([
                [CLASSES.conversion, <Converts key="conversion" shareClass={shareClass} />],
                ...antiDilutionOf(shareClass),
                [CLASSES.dividends, dividendOf(shareClass)],
              ] as const)
            : []),
          [CLASSES.prefix, defaultIdPrefix],
          [REGISTER.boardApproval, <Day key="board" value={shareClass.boardApprovalDate} />],
          [REGISTER.holderApproval, <Day key="holders" value={shareClass.stockholderApprovalDate} />],
        ]}
      />
      {comments && <p class="comment">{comments}</p>}
    </>
  );
}

/** The right that counts: the first, else one for one. */
function Converts({ shareClass: { conversionRights } }: { readonly shareClass: ShareClass }) {
  const [right] = conversionRights;
  if (right === undefined) return <>{CLASSES.oneForOne}</>;
  const { ratio, conversionPrice } = right;
  return <>{CLASSES.converts(ratio.numerator, ratio.denominator, conversionPrice ?? null)}</>;
}

function dividendOf({ dividendType, dividendRatePercent }: ShareClass): string {
  const words = CLASSES.dividendTypes[dividendType];
  return dividendRatePercent === null ? words : CLASSES.dividend(words, dividendRatePercent);
}
