// The company's record, what holders see, how members sign in.
import { answer } from "../../api/client.ts";
import { useQuery } from "../../api/query.ts";
import { readSession } from "../../api/session.ts";
import { OrganizationUpdate } from "../../api/values.ts";
import { isPage } from "../../frame/navigation.ts";
import { useOrganization } from "../../frame/page-organization.ts";
import { LinkButton } from "../../parts/button.tsx";
import { Day, None } from "../../parts/figure.tsx";
import { Card, Facts } from "../../parts/page-head.tsx";
import { Loaded } from "../../parts/states.tsx";
import { toast } from "../../parts/toast.tsx";
import { SETTINGS } from "../../text/settings.ts";
import type { FieldSpec } from "../actions/spec.ts";
import { ChangeForm } from "../records/change-form.tsx";
import { type CompanyValues, type Organization, patchOf, readTaxLines, taxLines } from "./company.ts";
import { Portal, SigningIn } from "./portal-settings.tsx";

/** The tab. */
export function OrganizationSettings() {
  const { api, key, may } = useOrganization();
  const query = useQuery(key("organization"), (signal) => answer(api.GET("/api/v1/organization", { signal })));
  return (
    <Loaded query={query} what={SETTINGS.record}>
      {(organization) => (
        <div class="columns">
          {may("ADMIN") ? <Company /> : <CompanyFacts organization={organization} />}
          {may("ADMIN") && (
            <div class="stack">
              <Portal />
              <SigningIn />
              <DataLinks />
            </div>
          )}
          {!may("ADMIN") && <DataLinks />}
        </div>
      )}
    </Loaded>
  );
}

const FIELDS = [
  { name: "legalName", kind: "text", autoComplete: "organization" },
  { name: "dba", kind: "text", isOptional: true },
  { name: "formationDate", kind: "day", isOptional: true, isBeside: true },
  { name: "countryOfFormation", kind: "text", isOptional: true, maxLength: 2 },
  { name: "countrySubdivisionOfFormation", kind: "text", isOptional: true, maxLength: 3, isBeside: true },
  { name: "currency", kind: "text", maxLength: 3 },
  { name: "votesRounding", kind: "choice", choices: OrganizationUpdate.votesRounding, isBeside: true },
  {
    name: "taxIds",
    kind: "long",
    isOptional: true,
    fault: (lines) => (readTaxLines(lines) === null ? SETTINGS.taxIdsFault : undefined),
  },
  { name: "email", kind: "text", isEmail: true, isOptional: true, isBeside: true },
  { name: "phone", kind: "text", isOptional: true },
  { name: "address.street", kind: "text", isOptional: true, isBeside: true },
  { name: "address.city", kind: "text", isOptional: true },
  { name: "address.countrySubdivision", kind: "text", isOptional: true, isBeside: true },
  { name: "address.postalCode", kind: "text", isOptional: true },
  { name: "address.country", kind: "text", isOptional: true, maxLength: 2, isBeside: true },
  { name: "comments", kind: "long", isOptional: true },
] as const satisfies readonly FieldSpec[];

const WORDS = {
  legalName: { label: SETTINGS.legalName },
  dba: { label: SETTINGS.dba },
  formationDate: { label: SETTINGS.formationDate },
  countryOfFormation: { label: SETTINGS.country, hint: SETTINGS.countryHint },
  countrySubdivisionOfFormation: { label: SETTINGS.subdivision, hint: SETTINGS.subdivisionHint },
  currency: { label: SETTINGS.currency, hint: SETTINGS.currencyHint },
  votesRounding: {
    label: SETTINGS.votesRounding,
    hint: SETTINGS.votesRoundingHint,
    choices: SETTINGS.votesRoundings,
  },
  taxIds: { label: SETTINGS.taxIds, hint: SETTINGS.taxIdsHint },
  email: { label: SETTINGS.email },
  phone: { label: SETTINGS.phone },
  "address.street": { label: SETTINGS.street },
  "address.city": { label: SETTINGS.city },
  "address.countrySubdivision": { label: SETTINGS.region },
  "address.postalCode": { label: SETTINGS.postalCode },
  "address.country": { label: SETTINGS.addressCountry },
  comments: { label: SETTINGS.comments },
};

function Company() {
  return (
    <Card title={SETTINGS.record} note={SETTINGS.audit}>
      <ChangeForm
        of="/organization"
        fields={FIELDS}
        words={WORDS}
        shownAs={(organization: Organization) => ({ ...organization, taxIds: taxLines(organization.taxIds) })}
        submit={SETTINGS.save}
        label={SETTINGS.record}
        sentAs={(_touched, values, { values: before }) => patchOf(values as CompanyValues, before as CompanyValues)}
        done={(saved) => {
          // Its name stands in the frame.
          if (saved !== null) void readSession();
          toast(SETTINGS.saved);
        }}
      />
    </Card>
  );
}

function CompanyFacts({ organization }: { readonly organization: Organization }) {
  const { address } = organization;
  const place = [address?.street, address?.postalCode, address?.city, address?.countrySubdivision, address?.country];
  const words = (text: string | null) => text ?? <None />;
  return (
    <Card title={SETTINGS.record}>
      <Facts
        facts={[
          [SETTINGS.legalName, organization.legalName],
          [SETTINGS.dba, words(organization.dba)],
          [SETTINGS.formationDate, <Day key="formed" value={organization.formationDate} />],
          [SETTINGS.country, words(organization.countryOfFormation)],
          [SETTINGS.subdivision, words(organization.countrySubdivisionOfFormation)],
          [SETTINGS.currency, organization.currency],
          [SETTINGS.votesRounding, SETTINGS.votesRoundings[organization.votesRounding]],
          [SETTINGS.email, words(organization.email)],
          [SETTINGS.phone, words(organization.phone)],
          [SETTINGS.street, words(place.filter(Boolean).join(", ") || null)],
        ]}
      />
    </Card>
  );
}

function DataLinks() {
  const { path, may } = useOrganization();
  if (!isPage("/ocf") && !isPage("/audit-log")) return null;
  return (
    <Card title={SETTINGS.data}>
      <p class="note">{SETTINGS.dataWords}</p>
      <div class="row">
        {isPage("/ocf") && <LinkButton href={path("/ocf")}>{SETTINGS.toOcf}</LinkButton>}
        {may("ADMIN") && isPage("/audit-log") && <LinkButton href={path("/audit-log")}>{SETTINGS.auditLog}</LinkButton>}
      </div>
    </Card>
  );
}
