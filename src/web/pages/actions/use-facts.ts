// What a form has to know of the organization while it is filled in: classes, plans, terms, who and what was chosen.
import { useMemo } from "preact/hooks";
import { isCalendarDate } from "../../../kernel/date.ts";
import { answer, type Schemas } from "../../api/client.ts";
import { useWholeList } from "../../api/list-pages.ts";
import { useQuery } from "../../api/query.ts";
import { today } from "../../clock.ts";
import { useCapTable, useClasses, usePlans } from "../../frame/lists/register-lists.ts";
import { useOrganization } from "../../frame/page-organization.ts";
import { type ActionSpec, type Facts, type FieldSpec, fieldsOf, type SecurityType, type Values } from "./spec.ts";
import { useLeaving } from "./use-leaving.ts";

/** The facts, and whether all that a form begins with is there. */
export function useFacts(
  { groups, makes, operation }: Pick<ActionSpec, "groups" | "makes"> & Partial<Pick<ActionSpec, "operation">>,
  values: Values,
) {
  const lists = useLists(fieldsOf(groups));
  const { security, vesting, exercisable } = useChosen(values);
  const nextCertificate = useNextCertificate(makes, values);
  const inForce = useInForce(makes, values);
  const leaving = useLeaving(operation, values);
  const chosen = fieldsOf(groups).flatMap(({ kind, name }) => (kind === "holder" ? [values[name] ?? ""] : []));
  const holders = useHolders(chosen, lists.table);
  const facts: Facts = {
    today: today(),
    ...lists.records,
    table: lists.table,
    security,
    vesting,
    exercisable,
    inForce,
    leaving,
    nextCertificate,
    holders,
  };
  return { facts, isLoading: lists.isLoading, error: lists.error };
}

function useLists(fields: readonly FieldSpec[]) {
  const { api, key } = useOrganization();
  const has = (kind: FieldSpec["kind"]) => fields.some((field) => field.kind === kind);
  const classes = useClasses();
  const plans = usePlans();
  const terms = useWholeList(has("terms") || has("condition") ? key("vesting-terms", "all") : null, (query, signal) =>
    answer(api.GET("/api/v1/vesting-terms", { params: { query }, signal })),
  );
  const valuations = useWholeList(has("valuation") ? key("valuations", "all") : null, (query, signal) =>
    answer(api.GET("/api/v1/valuations", { params: { query }, signal })),
  );
  const table = useCapTable();
  const needed = [classes, plans, terms, valuations];
  const records = {
    classes: classes.data?.items ?? [],
    plans: plans.data?.items ?? [],
    terms: terms.data?.items ?? [],
    valuations: valuations.data?.items ?? [],
  };
  const isLoading = needed.some(({ data, isLoading }) => isLoading && data === undefined);
  return {
    records,
    table: table.data ?? null,
    isLoading,
    // What was read before is enough: a form is not taken away for what is wrong with reading it again.
    error: needed.find(({ error, data }) => error && data === undefined)?.error ?? null,
  };
}

/** The security that is chosen, and how it vests on the form's day. */
function useChosen({ securityId = "", effectiveDate = "" }: Values) {
  const { api, key } = useOrganization();
  const security = useQuery(securityId ? key("security", securityId) : null, (signal) =>
    answer(api.GET("/api/v1/securities/{id}", { params: { path: { id: securityId } }, signal })),
  );
  const asOf = effectiveDate || today();
  const vesting = useQuery(securityId ? key("vesting", securityId, asOf) : null, (signal) =>
    answer(
      api.GET("/api/v1/securities/{id}/vesting", { params: { path: { id: securityId }, query: { asOf } }, signal }),
    ),
  );
  const isVesting = security.data !== undefined && security.data.type !== "CONVERTIBLE";
  const { stakeholderId, type } = security.data ?? {};
  const canBeExercised = type === "STOCK_OPTION" || type === "WARRANT";
  const position = useQuery(canBeExercised && stakeholderId ? key("position", stakeholderId, asOf) : null, (signal) =>
    answer(
      api.GET("/api/v1/stakeholders/{id}/position", {
        params: { path: { id: stakeholderId ?? "" }, query: { asOf } },
        signal,
      }),
    ),
  );
  const held = position.data?.securities.find(({ id }) => id === securityId);
  return {
    security: security.data ?? null,
    vesting: (isVesting && vesting.data) || null,
    exercisable: held?.exercisable ?? null,
  };
}

/** The number that what is made may get, as the API gives it. */
function useNextCertificate(makes: SecurityType | undefined, { stockClassId = "", stockPlanId = "" }: Values) {
  const { api, key } = useOrganization();
  const query = {
    ...(stockClassId === "" ? {} : { stockClassId }),
    ...(stockPlanId === "" ? {} : { equityPlanId: stockPlanId }),
  };
  // Stock takes its number from the class, so the server is asked only once a class is chosen.
  const isAsked = makes !== undefined && (makes !== "STOCK" || stockClassId !== "");
  const next = useQuery(isAsked ? key("next-certificate", makes, stockClassId, stockPlanId) : null, (signal) =>
    answer(
      api.GET("/api/v1/securities/next-certificate", {
        params: { query: { type: makes as SecurityType, ...query } },
        signal,
      }),
    ),
  );
  return next.data?.certificateId ?? null;
}

/** The 409A valuation by which options of the chosen plan are priced on the form's day. */
function useInForce(makes: SecurityType | undefined, { stockPlanId = "", effectiveDate = "" }: Values) {
  const { api, key } = useOrganization();
  const on = effectiveDate || today();
  const isAsked = makes === "STOCK_OPTION" && stockPlanId !== "" && isCalendarDate(on);
  const found = useQuery(isAsked ? key("valuations", "in-force", stockPlanId, on) : null, (signal) =>
    answer(api.GET("/api/v1/valuations/in-force", { params: { query: { on, equityPlanId: stockPlanId } }, signal })),
  );
  return found.data?.data ?? null;
}

type Named = Pick<Schemas["Stakeholder"], "displayName" | "status">;

/** Who is named, by id: of the cap table, and those who were chosen. */
function useHolders(chosen: readonly string[], table: Facts["table"]): Facts["holders"] {
  const { api, key } = useOrganization();
  const ids = chosen.filter(Boolean);
  const read = useQuery(ids.length > 0 ? key("holders", ...ids) : null, (signal) =>
    Promise.all(ids.map((id) => answer(api.GET("/api/v1/stakeholders/{id}", { params: { path: { id } }, signal })))),
  );
  return useMemo(() => {
    const held = (table?.stakeholders ?? []).flatMap(({ id, displayName }) =>
      id === null ? [] : [[id, { displayName: displayName ?? "", status: "CURRENT" as const }] as const],
    );
    return new Map<string, Named>([...held, ...(read.data ?? []).map((each) => [each.id, each] as const)]);
  }, [table, read.data]);
}
