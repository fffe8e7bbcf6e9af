// Vesting of a stakeholder: all grants together, and each grant.
import { total } from "../../../kernel/numbers/decimal.ts";
import { answer } from "../../api/client.ts";
import { useQuery } from "../../api/query.ts";
import { certificateOf } from "../../frame/names.tsx";
import { useOrganization } from "../../frame/page-organization.ts";
import { type Vesting, VestingView } from "../../frame/vesting-of-grants.tsx";
import { quantityText } from "../../locale.ts";
import { Card } from "../../parts/page-head.tsx";
import { Empty, Loaded } from "../../parts/states.tsx";
import { REGISTER } from "../../text/register-words.ts";
import { STAKEHOLDERS } from "../../text/stakeholders.ts";
import { VESTING } from "../../text/vesting-words.ts";
import type { Position } from "./position.ts";

interface Grant {
  readonly security: Position["securities"][number];
  readonly vesting: Vesting;
}

const startOf = ({ vestingStartDate, grantDate }: Grant["security"]) => vestingStartDate ?? grantDate;

/** Without what came of another of them, such as shares of an exercise: the grant counts them. */
function grantsAmong(all: readonly Grant[]): readonly Grant[] {
  const ids = new Set(all.map(({ security }) => security.id));
  return all.filter(({ security: { id }, vesting }) => {
    return vesting.grantSecurityId === id || !ids.has(vesting.grantSecurityId);
  });
}

/** The tab. */
export function HolderVesting({ position: { securities } }: { readonly position: Position }) {
  const { api, key } = useOrganization();
  const vesting = securities.filter(({ vestingTermsId, unvested }) => vestingTermsId !== null || unvested !== "0");
  const query = useQuery(key("vesting-of-all", ...vesting.map(({ id }) => id)), (signal) =>
    Promise.all(
      vesting.map(async (security): Promise<Grant> => {
        const params = { path: { id: security.id }, query: {} };
        const asked = api.GET("/api/v1/securities/{id}/vesting", { params, signal });
        return { security, vesting: await answer<Vesting>(asked) };
      }),
    ),
  );
  return (
    <Loaded query={query} what={VESTING.what}>
      {(all) => <Grants grants={grantsAmong(all)} />}
    </Loaded>
  );
}

function Grants({ grants }: { readonly grants: readonly Grant[] }) {
  return (
    <div class="stack">
      {grants.length === 0 && (
        <Card>
          <Empty words={STAKEHOLDERS.noVesting} />
        </Card>
      )}
      {grants.length > 1 && <Together grants={grants} />}
      {grants.map(({ security, vesting: told }) => (
        <Card
          key={security.id}
          title={certificateOf(security)}
          note={`${quantityText(told.quantity)} ${REGISTER.securityTypesMany[security.type].toLocaleLowerCase()}`}
        >
          <VestingView vesting={told} start={startOf(security)} />
        </Card>
      ))}
    </div>
  );
}

function Together({ grants }: { readonly grants: readonly Grant[] }) {
  const sumOf = (name: "quantity" | "vested" | "unvested" | "unscheduled") =>
    total(grants.map(({ vesting }) => vesting[name]));
  const starts = grants.map(({ security }) => startOf(security)).toSorted();
  return (
    <Card title={STAKEHOLDERS.allGrants} note={quantityText(sumOf("quantity"))}>
      <VestingView
        vesting={{
          quantity: sumOf("quantity"),
          vested: sumOf("vested"),
          unvested: sumOf("unvested"),
          unscheduled: sumOf("unscheduled"),
          vestingStoppedOn: grants.find(({ vesting }) => vesting.vestingStoppedOn)?.vesting.vestingStoppedOn ?? null,
          events: grants.flatMap(({ vesting }) => vesting.events),
        }}
        start={starts[0] ?? ""}
      />
    </Card>
  );
}
