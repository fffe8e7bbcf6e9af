// The page on which a record is made: a holder, a share class, an equity plan, a valuation, vesting terms.
import { useSearchParams } from "wouter-preact";
import { dropDraftsHere } from "../../frame/draft.ts";
import { useOrganization } from "../../frame/page-organization.ts";
import { LinkButton } from "../../parts/button.tsx";
import { Notice } from "../../parts/notice.tsx";
import { PageHead } from "../../parts/page-head.tsx";
import { COMMON, ERRORS } from "../../text/common.ts";
import { RECORD, RECORD_WORDS, TERMS } from "../../text/records.ts";
import { returnTo } from "../actions/way-back.ts";
import { RecordForm } from "../records/record-form.tsx";
import { recordOf } from "../records/record-specs.ts";
import { TermsForm } from "../records/terms-form.tsx";

/** The page. */
export function Page({ params }: { readonly params: Readonly<Record<string, string>> }) {
  const { name, may, path } = useOrganization();
  const [query] = useSearchParams();
  const isTerms = params.record === "vesting-terms";
  const spec = recordOf(params.record);
  const words = RECORD_WORDS[params.record ?? ""];
  if (!isTerms && (spec === null || words === undefined)) {
    return (
      <>
        <PageHead title={ERRORS.notFoundTitle} of={name} />
        <Notice tone="bad" title={ERRORS.notFound(RECORD.noun)} />
      </>
    );
  }
  return (
    <>
      <PageHead title={isTerms ? TERMS.create : (words?.create ?? "")} of={name}>
        <LinkButton href={returnTo(query, path()) ?? path()} onClick={dropDraftsHere}>
          {COMMON.cancel}
        </LinkButton>
      </PageHead>
      {words?.about && <p class="about">{words.about}</p>}
      {!may("EDITOR") && <Notice title={RECORD.viewer} />}
      {may("EDITOR") && isTerms && <TermsForm />}
      {may("EDITOR") && spec && words && <RecordForm key={spec.kind} spec={spec} words={words} />}
    </>
  );
}
