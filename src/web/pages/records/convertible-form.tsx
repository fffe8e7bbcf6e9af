// Form that changes the terms of an existing convertible.
import { useLocation, useSearchParams } from "wouter-preact";
import type { Schemas } from "../../api/client.ts";
import { ApiProblem } from "../../api/problem.ts";
import type { Query } from "../../api/query.ts";
import { changeTagged, type Tagged } from "../../api/tagged.ts";
import { certificateOf } from "../../frame/names.tsx";
import { useOrganization } from "../../frame/page-organization.ts";
import { LinkButton } from "../../parts/button.tsx";
import { faultsOf } from "../../parts/forms/body.ts";
import { Form } from "../../parts/forms/form.tsx";
import { isSame } from "../../parts/forms/merging.ts";
import { useBasis, useChangeForm } from "../../parts/forms/use-change-form.tsx";
import { Notice } from "../../parts/notice.tsx";
import { PageHead } from "../../parts/page-head.tsx";
import { Loaded, Outline } from "../../parts/states.tsx";
import { toast } from "../../parts/toast.tsx";
import { FIELD_WORDS, labelOf } from "../../text/actions/field-words.ts";
import { COMMON } from "../../text/common.ts";
import { CONVERTIBLE, RECORD } from "../../text/records.ts";
import { Groups } from "../actions/groups.tsx";
import { type Facts, type FieldGroup, fieldsOf, shownFields, type Values } from "../actions/spec.ts";
import { CONVERTIBLE_TERMS, CONVERTIBLE_TYPE } from "../actions/specs/issue.ts";
import { useFacts } from "../actions/use-facts.ts";
import { returnTo } from "../actions/way-back.ts";
import { useTagged } from "./change-form.tsx";
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
  const { name, path } = useOrganization();
  const [query] = useSearchParams();
  const security = useTagged<Schemas["Security"]>(`/securities/${id}`);
  const title = security.data ? CONVERTIBLE.title(certificateOf(security.data.record)) : CONVERTIBLE.change;
  const back = returnTo(query, path()) ?? path(`/securities/${id}`);
  return (
    <>
      <PageHead title={title} of={name}>
        <LinkButton href={back}>{COMMON.cancel}</LinkButton>
      </PageHead>
      <p class="about">{CONVERTIBLE.about}</p>
      <Loaded query={security} what={RECORD.loading} noun={CONVERTIBLE.noun}>
        {(tagged) => <ConvertibleForm key={id} tagged={tagged} query={security} back={back} />}
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

interface ConvertibleFormProps {
  readonly tagged: Tagged<Schemas["Security"]>;
  readonly query: Query<Tagged<Schemas["Security"]>>;
  readonly back: string;
}

function ConvertibleForm({ tagged, query, back }: ConvertibleFormProps) {
  const { api } = useOrganization();
  const [, go] = useLocation();
  const { facts, isLoading } = useFacts({ groups: GROUPS }, NO_VALUES);
  const shown = (values: Values) => shownFields(GROUPS, values, facts as Facts);
  const termsIn = ({ convertibleTerms }: Schemas["Security"]) => convertibleTerms ?? NO_TERMS;
  const changing = {
    ...{ tagged, query },
    valuesOf: (security: Schemas["Security"]) => valuesOfTerms(fieldsOf(GROUPS), termsIn(security)),
    labelOf: (name: string) => FIELD_WORDS[name]?.label ?? labelOf(name),
  };
  const basis = useBasis(changing);
  const form = useChangeForm<Schemas["Security"], Record<string, string>, boolean>(
    {
      check: (values) => faultsOf(shown(values), values),
      async send(values) {
        const { record, tag, values: began } = basis.current;
        if (isSame(values, began)) return false;
        const before = { before: termsIn(record), grantDate: record.grantDate };
        const convertibleTerms = termsOf(shown(values), values, before);
        try {
          await changeTagged(api, `/api/v1/securities/${record.id}`, { convertibleTerms }, tag);
          return true;
        } catch (error) {
          throw byMember(error);
        }
      },
      done(isChanged) {
        toast(isChanged ? CONVERTIBLE.saved : RECORD.unchanged);
        go(back);
      },
    },
    changing,
    basis,
  );
  const before = termsIn(tagged.record);
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
