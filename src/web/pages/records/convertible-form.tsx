// Form that changes the terms of an existing convertible.
import { useLocation, useSearchParams } from "wouter-preact";
import { answer, type Schemas, write } from "../../api/client.ts";
import { ApiProblem } from "../../api/problem.ts";
import { useQuery } from "../../api/query.ts";
import { certificateOf } from "../../frame/names.tsx";
import { useOrganization } from "../../frame/page-organization.ts";
import { LinkButton } from "../../parts/button.tsx";
import { faultsOf } from "../../parts/forms/body.ts";
import { Form } from "../../parts/forms/form.tsx";
import { useForm } from "../../parts/forms/use-form.ts";
import { Notice } from "../../parts/notice.tsx";
import { PageHead } from "../../parts/page-head.tsx";
import { Loaded, Outline } from "../../parts/states.tsx";
import { toast } from "../../parts/toast.tsx";
import { COMMON } from "../../text/common.ts";
import { CONVERTIBLE, RECORD } from "../../text/records.ts";
import { Groups } from "../actions/groups.tsx";
import { type Facts, type FieldGroup, fieldsOf, shownFields, type Values } from "../actions/spec.ts";
import { CONVERTIBLE_TERMS, CONVERTIBLE_TYPE } from "../actions/specs/issue.ts";
import { useFacts } from "../actions/use-facts.ts";
import { returnTo } from "../actions/way-back.ts";
import { type ConvertibleTerms, isPriced, termsOf, valuesOfTerms } from "./convertible-values.ts";

const GROUPS: readonly FieldGroup[] = [
  { ...CONVERTIBLE_TERMS, fields: [CONVERTIBLE_TYPE, ...CONVERTIBLE_TERMS.fields] },
];
const NO_TERMS: ConvertibleTerms = {
  ...{ convertibleType: null, seniority: 1, maturityDate: null, proRata: null, triggers: [] },
  ...{ valuationCap: null, discountPercent: null, interestRate: null, dayCount: null },
};

/** The page of a convertible's terms. */
export function ConvertibleTermsPage({ id }: { readonly id: string }) {
  const { api, key, name, path } = useOrganization();
  const [query] = useSearchParams();
  const security = useQuery(key("security", id), (signal) =>
    answer(api.GET("/api/v1/securities/{id}", { params: { path: { id } }, signal })),
  );
  const title = security.data ? CONVERTIBLE.title(certificateOf(security.data)) : CONVERTIBLE.change;
  const back = returnTo(query, path()) ?? path(`/securities/${id}`);
  return (
    <>
      <PageHead title={title} of={name}>
        <LinkButton href={back}>{COMMON.cancel}</LinkButton>
      </PageHead>
      <p class="about">{CONVERTIBLE.about}</p>
      <Loaded query={security} what={RECORD.loading} noun={CONVERTIBLE.noun}>
        {(found) => <ConvertibleForm key={found.id} security={found} back={back} />}
      </Loaded>
    </>
  );
}

/** Refusals name members of a trigger: the fields are called by the member alone. */
function byMember(error: unknown): unknown {
  if (!(error instanceof ApiProblem)) return error;
  const { status, slug, title, detail, errors, requestId } = error;
  const placed = errors.map((each) => {
    const member = each.pointer
      ?.replace(/\/interestRates\/.*$/, "/interestRate")
      .split("/")
      .at(-1);
    return member === undefined ? each : { ...each, pointer: `#/convertibleTerms.${member}` };
  });
  return new ApiProblem({ status, slug, title, detail, errors: placed, requestId });
}

function ConvertibleForm({ security, back }: { readonly security: Schemas["Security"]; readonly back: string }) {
  const { api } = useOrganization();
  const [, go] = useLocation();
  const before = security.convertibleTerms ?? NO_TERMS;
  const { facts, isLoading } = useFacts({ groups: GROUPS }, NO_VALUES);
  const shown = (values: Values) => shownFields(GROUPS, values, facts as Facts);
  const form = useForm<Record<string, string>, unknown>({
    initial: valuesOfTerms(fieldsOf(GROUPS), before),
    check: (values) => faultsOf(shown(values), values),
    async send(values) {
      const convertibleTerms = termsOf(shown(values), values, { before, grantDate: security.grantDate });
      const asked = { body: { convertibleTerms } as never, params: { path: { id: security.id } } };
      try {
        return await write(api.PATCH("/api/v1/securities/{id}", asked));
      } catch (error) {
        throw byMember(error);
      }
    },
    done() {
      toast(CONVERTIBLE.saved);
      go(back);
    },
  });
  if (isLoading) return <Outline what={RECORD.loading} lines={8} />;
  if (!isPriced(before)) return <Notice>{CONVERTIBLE.fixed}</Notice>;
  const others = before.triggers.length - 1;
  return (
    <div class="narrow-form">
      {others > 0 && <Notice>{CONVERTIBLE.more(others)}</Notice>}
      <Form form={form} submit={CONVERTIBLE.save} label={CONVERTIBLE.change}>
        <Groups groups={GROUPS} form={form} facts={facts} />
      </Form>
    </div>
  );
}

const NO_VALUES: Values = {};
