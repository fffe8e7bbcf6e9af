// The company's record, what holders see, how members sign in.
import { answer, write } from "../../api/client.ts";
import { useQuery } from "../../api/query.ts";
import { readSession } from "../../api/session.ts";
import { isPage } from "../../frame/navigation.ts";
import { useOrganization } from "../../frame/page-organization.ts";
import { LinkButton } from "../../parts/button.tsx";
import { Day, None } from "../../parts/figure.tsx";
import { DateField, LongTextField, SelectField, TextField } from "../../parts/forms/field.tsx";
import { Form } from "../../parts/forms/form.tsx";
import { useForm } from "../../parts/forms/use-form.ts";
import { Card, Facts } from "../../parts/page-head.tsx";
import { Loaded } from "../../parts/states.tsx";
import { toast } from "../../parts/toast.tsx";
import { COMMON } from "../../text/common.ts";
import { SETTINGS } from "../../text/settings.ts";
import { emailFault } from "../set-up/page.tsx";
import { type CompanyValues, type Organization, patchOf, readTaxLines, valuesOf } from "./company.ts";
import { Portal, SigningIn } from "./portal-settings.tsx";

/** The tab. */
export function OrganizationSettings() {
  const { api, key, may } = useOrganization();
  const query = useQuery(key("organization"), (signal) => answer(api.GET("/api/v1/organization", { signal })));
  return (
    <Loaded query={query} what={SETTINGS.record}>
      {(organization) => (
        <div class="columns">
          {may("ADMIN") ? <Company organization={organization} /> : <CompanyFacts organization={organization} />}
          {may("ADMIN") && (
            <div class="stack">
              <Portal organization={organization} />
              <SigningIn organization={organization} />
              <DataLinks />
            </div>
          )}
          {!may("ADMIN") && <DataLinks />}
        </div>
      )}
    </Loaded>
  );
}

function checkCompany({ legalName, email, taxIds }: CompanyValues) {
  return {
    legalName: legalName.trim() ? undefined : COMMON.required,
    email: email.trim() ? emailFault(email.trim()) : undefined,
    taxIds: readTaxLines(taxIds) === null ? SETTINGS.taxIdsFault : undefined,
  };
}

function Company({ organization }: { readonly organization: Organization }) {
  const { api } = useOrganization();
  const form = useForm({
    initial: valuesOf(organization),
    check: checkCompany,
    async send(values) {
      const body = patchOf(values, valuesOf(organization));
      if (Object.keys(body).length === 0) return;
      await write(api.PATCH("/api/v1/organization", { body }));
      await readSession();
    },
    done: () => toast(SETTINGS.saved),
  });
  return (
    <Card title={SETTINGS.record} note={SETTINGS.audit}>
      <Form form={form} submit={SETTINGS.save} label={SETTINGS.record}>
        <TextField label={SETTINGS.legalName} {...form.field("legalName")} autoComplete="organization" />
        <div class="fields-2">
          <TextField label={SETTINGS.dba} {...form.field("dba")} isOptional />
          <DateField label={SETTINGS.formationDate} {...form.field("formationDate")} isOptional />
          <TextField
            label={SETTINGS.country}
            {...form.field("countryOfFormation")}
            isOptional
            maxLength={2}
            hint={SETTINGS.countryHint}
          />
          <TextField
            label={SETTINGS.subdivision}
            {...form.field("countrySubdivisionOfFormation")}
            isOptional
            maxLength={3}
            hint={SETTINGS.subdivisionHint}
          />
          <TextField label={SETTINGS.currency} {...form.field("currency")} maxLength={3} hint={SETTINGS.currencyHint} />
          <SelectField
            label={SETTINGS.votesRounding}
            {...form.field("votesRounding")}
            choices={SETTINGS.votesRoundings}
            hint={SETTINGS.votesRoundingHint}
          />
          <LongTextField
            label={SETTINGS.taxIds}
            {...form.field("taxIds")}
            isOptional
            rows={2}
            hint={SETTINGS.taxIdsHint}
          />
          <TextField label={SETTINGS.email} {...form.field("email")} type="email" isOptional />
          <TextField label={SETTINGS.phone} {...form.field("phone")} isOptional />
          <TextField label={SETTINGS.street} {...form.field("address.street")} isOptional />
          <TextField label={SETTINGS.city} {...form.field("address.city")} isOptional />
          <TextField label={SETTINGS.region} {...form.field("address.countrySubdivision")} isOptional />
          <TextField label={SETTINGS.postalCode} {...form.field("address.postalCode")} isOptional />
          <TextField label={SETTINGS.addressCountry} {...form.field("address.country")} isOptional maxLength={2} />
        </div>
        <LongTextField label={SETTINGS.comments} {...form.field("comments")} isOptional />
      </Form>
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
          [
            SETTINGS.votesRounding,
            SETTINGS.votesRoundings.find(({ value }) => value === organization.votesRounding)?.label ?? "",
          ],
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
