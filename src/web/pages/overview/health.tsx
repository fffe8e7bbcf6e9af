// Health findings, problems first, each with a link to the page that resolves it.
import { useState } from "preact/hooks";
import { Link } from "wouter-preact";
import { answer, type Schemas } from "../../api/client.ts";
import { useQuery } from "../../api/query.ts";
import { isPage } from "../../frame/navigation.ts";
import { useOrganization } from "../../frame/page-organization.ts";
import { Button } from "../../parts/button.tsx";
import { Icon } from "../../parts/icon.tsx";
import { Badge } from "../../parts/notice.tsx";
import { Card } from "../../parts/page-head.tsx";
import { Loaded } from "../../parts/states.tsx";
import { FINDING_LINKS, FINDING_RULES, FINDINGS, OVERVIEW } from "../../text/overview.ts";

type Finding = Schemas["CapTableHealth"]["findings"][number];

/** As many as stand beside the ownership without leaving it half empty. */
const SHOWN_AT_FIRST = 3;
const ICONS = { problem: "problem", warning: "warn", note: "info" } as const;

/** The card. */
export function Health() {
  const { api, key } = useOrganization();
  const query = useQuery(
    key("health"),
    async (signal) => (await answer(api.GET("/api/v1/cap-table/health", { signal }))).data,
  );
  const serious = (query.data?.findings ?? []).filter(({ severity }) => severity !== "note");
  const hasProblem = serious.some(({ severity }) => severity === "problem");
  const badge = serious.length > 0 && (
    <Badge tone={hasProblem ? "bad" : "warn"}>{OVERVIEW.toLookAt(serious.length)}</Badge>
  );
  return (
    <Card title={OVERVIEW.health} actions={badge} class="health">
      <Loaded query={query} what={OVERVIEW.health}>
        {({ findings }) =>
          findings.length === 0 ? (
            <p class="well">
              <Icon name="check" /> {OVERVIEW.allWell}
            </p>
          ) : (
            <Findings all={findings} />
          )
        }
      </Loaded>
    </Card>
  );
}

/** The first of them, and the others once they are asked for: problems come first. */
function Findings({ all }: { readonly all: readonly Finding[] }) {
  const [isWhole, setWhole] = useState(false);
  const isCut = !isWhole && all.length > SHOWN_AT_FIRST + 1;
  return (
    <>
      <ul class="findings">
        {(isCut ? all.slice(0, SHOWN_AT_FIRST) : all).map((finding) => (
          <FindingItem key={finding.code} finding={finding} />
        ))}
      </ul>
      {isCut && (
        <Button kind="quiet" onClick={() => setWhole(true)}>
          {OVERVIEW.moreFindings(all.length - SHOWN_AT_FIRST)}
        </Button>
      )}
    </>
  );
}

function FindingItem({ finding: { code, severity, detail, action } }: { readonly finding: Finding }) {
  const { path } = useOrganization();
  const rules = FINDING_RULES[code];
  return (
    <li class={`is-${severity}`}>
      <Icon name={ICONS[severity]} />
      <div>
        <p class="finding-title">
          <span class="visually-hidden">{OVERVIEW.severities[severity]}: </span>
          {FINDINGS[code] ?? code}
        </p>
        <p class="note">{detail}</p>
        <p class="row">
          {action !== null && isPage(`/${action}`) && <Link href={path(`/${action}`)}>{FINDING_LINKS[action]}</Link>}
          {rules && <Link href={path(rules.page)}>{rules.label}</Link>}
        </p>
      </div>
    </li>
  );
}
