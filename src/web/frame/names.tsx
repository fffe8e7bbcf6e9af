// Names of what other records point at, as links to their pages. Where a list has not told a name, it is asked for.
import { useMemo } from "preact/hooks";
import { Link } from "wouter-preact";
import { answer, type Schemas } from "../api/client.ts";
import { useQuery } from "../api/query.ts";
import { None } from "../parts/figures.tsx";
import { REGISTER } from "../text/register.ts";
import { useOrganization } from "./organization.ts";
import { useCapTable, useClasses, usePlans } from "./register.ts";

type Id = string | null | undefined;

/** The names of holders that the cap table tells. */
export function useHolderNames(): ReadonlyMap<string, string> {
  const { data } = useCapTable();
  return useMemo(() => {
    const known = data?.stakeholders ?? [];
    return new Map(known.map(({ id, displayName }) => [id ?? "", displayName ?? REGISTER.noHolder]));
  }, [data]);
}

/** A holder; `known` is its name where something has told it. */
export function HolderLink({ id, known }: { readonly id: Id; readonly known?: string | undefined }) {
  const { api, key, path } = useOrganization();
  const query = useQuery(id && known === undefined ? key("stakeholder", id) : null, (signal) =>
    answer(api.GET("/api/v1/stakeholders/{id}", { params: { path: { id: id ?? "" } }, signal })),
  );
  if (!id) return <None />;
  const name = known ?? query.data?.displayName ?? (query.error ? REGISTER.deletedHolder : REGISTER.pending);
  return query.error ? name : <Link href={path(`/stakeholders/${id}`)}>{name}</Link>;
}

/** What a security is called: its certificate, else its type. */
export function certificateOf({ certificateId, type }: Pick<Schemas["Security"], "certificateId" | "type">): string {
  return certificateId ?? REGISTER.securityTypes[type];
}

/** A security by its certificate. */
export function SecurityLink({ id, known }: { readonly id: Id; readonly known?: string | undefined }) {
  const { api, key, path } = useOrganization();
  const query = useQuery(id && known === undefined ? key("security", id) : null, (signal) =>
    answer<Schemas["Security"]>(api.GET("/api/v1/securities/{id}", { params: { path: { id: id ?? "" } }, signal })),
  );
  if (!id) return <None />;
  const name = known ?? (query.data ? certificateOf(query.data) : REGISTER.pending);
  return <Link href={path(`/securities/${id}`)}>{name}</Link>;
}

/** The names of classes and plans by their ids. */
export function useClassNames(): ReadonlyMap<string, string> {
  const [classes, plans] = [useClasses().data?.items, usePlans().data?.items];
  return useMemo(
    () => new Map([...(classes ?? []), ...(plans ?? [])].map(({ id, name }) => [id, name])),
    [classes, plans],
  );
}

/** The class or plan that something belongs to: shares to a class, also those that came of a plan. */
export function groupOf({ type, stockClassId, equityPlanId }: Pick<Schemas["Security"], GroupMembers>): string | null {
  return type === "STOCK" ? stockClassId : (equityPlanId ?? stockClassId);
}
type GroupMembers = "type" | "stockClassId" | "equityPlanId";

/** The class or plan of a security. */
export function GroupLink({ of: security }: { readonly of: Pick<Schemas["Security"], GroupMembers> }) {
  const id = groupOf(security);
  if (id === null) return <None />;
  return id === security.equityPlanId ? <PlanLink id={id} /> : <ClassLink id={id} />;
}

/** A share class. */
export function ClassLink({ id }: { readonly id: string }) {
  const { path } = useOrganization();
  return <Link href={path(`/classes-and-plans/classes/${id}`)}>{useClassNames().get(id) ?? REGISTER.pending}</Link>;
}

/** An equity plan. */
export function PlanLink({ id }: { readonly id: string }) {
  const { path } = useOrganization();
  return <Link href={path(`/classes-and-plans/plans/${id}`)}>{useClassNames().get(id) ?? REGISTER.pending}</Link>;
}
