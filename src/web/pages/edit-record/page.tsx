// The page on which a record is changed.
import { useSearchParams } from "wouter-preact";
import type { Query } from "../../api/query.ts";
import type { Tagged } from "../../api/tagged.ts";
import type { AnyMembers } from "../../frame/operation-calls.ts";
import { useOrganization } from "../../frame/page-organization.ts";
import { LinkButton } from "../../parts/button.tsx";
import { Notice } from "../../parts/notice.tsx";
import { PageHead } from "../../parts/page-head.tsx";
import { Loaded } from "../../parts/states.tsx";
import { COMMON, ERRORS } from "../../text/common.ts";
import { RECORD, RECORD_WORDS, TERMS } from "../../text/records.ts";
import { returnTo } from "../actions/way-back.ts";
import { useTagged } from "../records/change-form.tsx";
import { ConvertibleTermsPage } from "../records/convertible-form.tsx";
import { ChangeRecord } from "../records/record-form.tsx";
import { recordOf } from "../records/record-specs.ts";
import { ChangeTerms, type TermsRecord } from "../records/terms-form.tsx";

/** The page. */
export function Page({ params }: { readonly params: Readonly<Record<string, string>> }) {
  const { may } = useOrganization();
  const isOfConvertible = params.record === "convertible-terms" && may("EDITOR");
  return isOfConvertible ? <ConvertibleTermsPage id={params.id ?? ""} /> : <OfRecord params={params} />;
}

function OfRecord({ params }: { readonly params: Readonly<Record<string, string>> }) {
  const { name, may, path } = useOrganization();
  const [query] = useSearchParams();
  const isTerms = params.record === "vesting-terms";
  const spec = recordOf(params.record);
  const own = RECORD_WORDS[params.record ?? ""];
  const words = isTerms ? TERMS : own;
  const { id = "" } = params;
  const where = isTerms ? "vesting-terms" : spec?.path;
  const record = useTagged<AnyMembers>(where ? `/${where}/${id}` : null);
  const isOpen = words !== undefined && may("EDITOR");
  const title = record.data && words ? words.edit(nameOf(record.data.record)) : (words?.change ?? ERRORS.notFoundTitle);
  return (
    <>
      <PageHead title={title} of={name}>
        <LinkButton href={returnTo(query, path()) ?? path()}>{COMMON.cancel}</LinkButton>
      </PageHead>
      {words === undefined && <Notice tone="bad" title={ERRORS.notFound(RECORD.noun)} />}
      {words && !may("EDITOR") && <Notice title={RECORD.viewer} />}
      {isOpen && (
        <Loaded query={record} what={RECORD.loading} noun={words.noun}>
          {(tagged) => (
            <>
              {isTerms && (
                <ChangeTerms
                  key={id}
                  tagged={tagged as Tagged<TermsRecord>}
                  query={record as Query<Tagged<TermsRecord>>}
                />
              )}
              {spec && own && <ChangeRecord key={id} spec={spec} words={own} tagged={tagged} query={record} />}
            </>
          )}
        </Loaded>
      )}
    </>
  );
}

function nameOf({ displayName, name, planName }: AnyMembers): string {
  return String(displayName ?? planName ?? name ?? "");
}
