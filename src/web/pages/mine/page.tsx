// `/o/{org}/mine`: what a holder has, what of it has vested and when the rest does. One column, made for a phone.
import { today } from "../../clock.ts";
import { OwnComingUp } from "../../frame/coming-up.tsx";
import { PaperButton } from "../../frame/export-menu.tsx";
import { type Portal, usePortal } from "../../frame/own-portal.ts";
import { useOrganization } from "../../frame/page-organization.ts";
import { moneyText } from "../../locale.ts";
import { Percent, Quantity, Ratios } from "../../parts/figure.tsx";
import { Notice } from "../../parts/notice.tsx";
import { Card, Facts, PageHead } from "../../parts/page-head.tsx";
import { Empty, Loaded } from "../../parts/states.tsx";
import { EXPORTS } from "../../text/exports.ts";
import { MINE } from "../../text/mine.ts";
import { expiriesOf } from "./expiries.ts";
import { HoldingCard } from "./holding.tsx";
import { OwnDocuments, OwnHistory } from "./own-records.tsx";
import { Waiting } from "./waiting.tsx";

const STATEMENT = "/api/v1/portal/stakeholders/{id}/statement.pdf";

/** The page. */
export function Page() {
  const { name, membership } = useOrganization();
  if (membership.stakeholderIds.length > 0) return <Mine />;
  return (
    <div class="mine">
      <PageHead title={MINE.title} of={name} />
      <Card>
        <Empty words={MINE.notHolder} />
      </Card>
    </div>
  );
}

function Mine() {
  const { name } = useOrganization();
  const query = usePortal();
  const [only, ...others] = query.data?.stakeholders ?? [];
  const title = only && others.length === 0 ? MINE.of(only.displayName) : MINE.title;
  return (
    <div class="mine">
      <PageHead title={title} of={name}>
        {query.data?.stakeholders.map(({ id, displayName }) => (
          <PaperButton
            key={id}
            file={{ path: STATEMENT, id }}
            label={others.length > 0 ? MINE.statementOf(displayName) : EXPORTS.statement}
          />
        ))}
      </PageHead>
      <Loaded query={query} what={MINE.loading} lines={8}>
        {(portal) => <Own portal={portal} />}
      </Loaded>
    </div>
  );
}

function Own({ portal }: { readonly portal: Portal }) {
  const { holdings, stakeholders, organization } = portal;
  const names = new Map(stakeholders.map(({ id, displayName }) => [id, displayName]));
  const nameOf = (id: string) => (stakeholders.length > 1 ? names.get(id) : undefined);
  return (
    <div class="stack">
      {expiriesOf(holdings, today()).map(({ holding, isPast, day }) => {
        const what = holding.certificateId ?? MINE.heads[holding.type](holding.quantity, holding.currency);
        const open = holding.exercisable === "0" ? MINE.nothingToExercise : MINE.exerciseBefore(holding.exercisable);
        return (
          <Notice
            key={holding.securityId}
            tone="warn"
            title={isPast ? MINE.expired(what, day) : MINE.expires(what, day)}
          >
            {isPast ? MINE.lapsed : open}
          </Notice>
        );
      })}
      {holdings.length === 0 && (
        <Card>
          <Empty words={MINE.none} />
        </Card>
      )}
      <Waiting />
      <Summary portal={portal} />
      {holdings.map((holding) => (
        <HoldingCard key={holding.securityId} holding={holding} holder={nameOf(holding.stakeholderId)} />
      ))}
      <OwnComingUp />
      <OwnDocuments />
      {holdings.length > 0 && <OwnHistory />}
      {organization.portalContact && <Contact contact={organization.portalContact} />}
    </div>
  );
}

/** All of it together, where there is more than one thing, or where the organization tells the whole. */
function Summary({ portal: { holdings, totals, ownership, value } }: { readonly portal: Portal }) {
  const kinds = [
    [MINE.shares, totals.outstanding],
    [MINE.options, totals.options],
    [MINE.warrants, totals.warrants],
  ] as const;
  const isSeveral = holdings.length > 1;
  const shown = isSeveral ? kinds.filter(([, quantity]) => quantity !== "0") : [];
  const worth = isSeveral ? (value ?? []) : [];
  if (holdings.length === 0 || (shown.length === 0 && worth.length === 0 && ownership === null)) return null;
  return (
    <Card title={MINE.summary}>
      <Facts
        facts={[
          ...shown.map(([name, quantity]) => [name, <Quantity key={name} value={quantity} />] as const),
          ...worth.map(({ currency, amount }) => [MINE.worth, moneyText(amount, currency)] as const),
          ...(ownership ? [[MINE.share, <Percent key="share" value={ownership.percentAsConverted} />] as const] : []),
        ]}
      />
      <Ratios classes={heldClasses(holdings)} />
    </Card>
  );
}

/** The classes of what is held, each once. */
function heldClasses(holdings: Portal["holdings"]) {
  const classes = holdings.map(({ stockClassName, conversion }) => [stockClassName ?? "", conversion] as const);
  return Array.from(new Map(classes), ([name, conversion]) => ({ name, conversion }));
}

function Contact({ contact }: { readonly contact: string }) {
  const isEmail = /^[^\s@]+@[^\s@]+$/.test(contact);
  return (
    <p class="note">
      {MINE.questions} {isEmail ? <a href={`mailto:${contact}`}>{contact}</a> : contact}
    </p>
  );
}
