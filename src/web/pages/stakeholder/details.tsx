// The details of a stakeholder: identity, wallet and deletion.
import { useState } from "preact/hooks";
import { useLocation } from "wouter-preact";
import { answer, type Schemas } from "../../api/client.ts";
import { useChangedOnceGone } from "../../api/query.ts";
import { certificateOf, SecurityLink } from "../../frame/names.tsx";
import { useOrganization } from "../../frame/page-organization.ts";
import { RecordLink } from "../../frame/record-links.tsx";
import { Button } from "../../parts/button.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { Address, Instant, None } from "../../parts/figure.tsx";
import { APART, valuesOf } from "../../parts/forms/body.ts";
import { Card, Facts } from "../../parts/page-head.tsx";
import { toast } from "../../parts/toast.tsx";
import { useAction } from "../../parts/use-action.tsx";
import { CHOICE_WORDS } from "../../text/actions/field-words.ts";
import { COMMON, labelIn } from "../../text/common.ts";
import { RECORD_WORDS } from "../../text/records.ts";
import { REGISTER } from "../../text/register-words.ts";
import { STAKEHOLDERS } from "../../text/stakeholders.ts";
import { fieldsOf } from "../actions/spec.ts";
import { recordOf } from "../records/record-specs.ts";
import type { Position } from "./position.ts";

type Stakeholder = Schemas["Stakeholder"];

/** The tab. */
export function HolderDetails({ position }: { readonly position: Position }) {
  const { may } = useOrganization();
  const { stakeholder } = position;
  const { id } = stakeholder;
  return (
    <div class="columns">
      <Card title={STAKEHOLDERS.identity} actions={<RecordLink record="stakeholder" id={id} />}>
        <IdentityFacts stakeholder={stakeholder} />
      </Card>
      <div class="stack">
        <Wallet stakeholder={stakeholder} />
        {may("EDITOR") && <Removal position={position} />}
      </div>
    </div>
  );
}

/** What the form of a stakeholder asks for, as it is recorded. */
function IdentityFacts({ stakeholder }: { readonly stakeholder: Stakeholder }) {
  const words = RECORD_WORDS.stakeholder?.fields ?? {};
  const fields = fieldsOf(recordOf("stakeholder")?.groups ?? []).filter(({ name }) => name !== "walletAddress");
  const values = valuesOf(fields, stakeholder);
  // What the form asks for of some stakeholders alone, stands here for those that have it.
  const shown = fields.filter(({ name, isShown }) => isShown === undefined || values[name] !== "");
  return (
    <Facts
      facts={[
        ...shown.map(({ name, choices }) => {
          const text = values[name] ?? "";
          const chosen = choices ? text.split(APART).map((each) => labelIn(CHOICE_WORDS, each)) : [text];
          return [words[name]?.label ?? name, chosen.join(", ") || <None />] as const;
        }),
        [REGISTER.added, <Instant key="added" value={stakeholder.createdAt} />],
      ]}
    />
  );
}

/** Where the tokens of the holder go; the form of the stakeholder changes it. */
function Wallet({ stakeholder: { walletAddress, custodialAddress } }: { readonly stakeholder: Stakeholder }) {
  const place = walletAddress ? STAKEHOLDERS.wallet : STAKEHOLDERS.custodial;
  return (
    <Card title={STAKEHOLDERS.walletTitle}>
      <Facts facts={[[place, <Address key="address" value={walletAddress ?? custodialAddress} />]]} />
      <p class="note">{STAKEHOLDERS.walletWords}</p>
    </Card>
  );
}

/** Deletion, and why it may not be. */
function Removal({ position }: { readonly position: Position }) {
  const { api, path } = useOrganization();
  const [, navigate] = useLocation();
  const [isAsking, setAsking] = useState(false);
  const deleted = useChangedOnceGone();
  const { stakeholder, securities, convertibles } = position;
  const { id, displayName } = stakeholder;
  const held = [...securities, ...convertibles];
  const { button, trouble } = useAction(async () => {
    await answer(api.DELETE("/api/v1/stakeholders/{id}", { params: { path: { id } } }));
    deleted();
    toast(STAKEHOLDERS.removed(displayName));
    navigate(path("/stakeholders"));
  });
  return (
    <Card title={STAKEHOLDERS.removal}>
      <p class="note">{STAKEHOLDERS.removalWords}</p>
      {held.length > 0 ? (
        <p>
          {STAKEHOLDERS.stillHolds(held.length)}{" "}
          {held.map((each, index) => (
            <span key={each.id}>
              {index > 0 && ", "}
              <SecurityLink id={each.id} known={certificateOf(each)} />
            </span>
          ))}
        </p>
      ) : (
        <Button kind="danger" onClick={() => setAsking(true)}>
          {STAKEHOLDERS.remove}
        </Button>
      )}
      {isAsking && (
        <Dialog title={STAKEHOLDERS.removeTitle(displayName)} onClose={() => setAsking(false)}>
          <p>{STAKEHOLDERS.removeSure}</p>
          {trouble}
          <div class="row">
            <Button kind="danger" {...button}>
              {STAKEHOLDERS.remove}
            </Button>
            <Button onClick={() => setAsking(false)}>{COMMON.cancel}</Button>
          </div>
        </Dialog>
      )}
    </Card>
  );
}
