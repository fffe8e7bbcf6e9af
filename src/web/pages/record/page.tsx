// A guided action: the form of one operation, with what it will change beside it.
import { useSearchParams } from "wouter-preact";
import { dropDraftsHere } from "../../frame/draft.ts";
import { useOrganization } from "../../frame/page-organization.ts";
import { LinkButton } from "../../parts/button.tsx";
import { Notice } from "../../parts/notice.tsx";
import { PageHead } from "../../parts/page-head.tsx";
import { ACTION, operationWords } from "../../text/actions/operation-words.ts";
import { ERRORS } from "../../text/common.ts";
import { ActionForm } from "../actions/action-form.tsx";
import { actionOf } from "../actions/action-specs.ts";
import { returnTo } from "../actions/way-back.ts";

/** The page. */
export function Page({ params }: { readonly params: Readonly<Record<string, string>> }) {
  const { name, may, path } = useOrganization();
  const [query] = useSearchParams();
  const spec = actionOf(params.operation);
  const words = operationWords(params.operation ?? "");
  if (spec === null || words === null) {
    return (
      <>
        <PageHead title={ERRORS.notFoundTitle} of={name} />
        <Notice tone="bad" title={ERRORS.notFound(ACTION.noun)} />
      </>
    );
  }
  const back = returnTo(query, path()) ?? path();
  return (
    <>
      <PageHead title={words.title} of={name}>
        <LinkButton href={back} onClick={dropDraftsHere}>
          {ACTION.cancel}
        </LinkButton>
      </PageHead>
      {words.about && <p class="about">{words.about}</p>}
      {may("EDITOR") ? (
        <ActionForm key={spec.operation} spec={spec} words={words} given={Object.fromEntries(query)} />
      ) : (
        <Notice title={ACTION.viewer} />
      )}
    </>
  );
}
