// Names of what other records point at, as links to their pages. Where a list has not told a name, it is asked for.
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
  return new Map((data?.stakeholders ?? []).map(({ id, displayName }) => [id ?? "", displayName ?? REGISTER.noHolder]));
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
  const [classes, plans] = [useClasses().data?.items ?? [], usePlans().data?.items ?? []];
  return new Map([...classes, ...plans].map(({ id, name }) => [id, name]));
}

/** The class, else the plan, that something belongs to. */
export function ClassLink({
  of: { stockClassId, equityPlanId },
}: {
  readonly of: { readonly stockClassId?: Id; readonly equityPlanId?: Id };
}) {
  const names = useClassNames();
  const { path } = useOrganization();
  const id = equityPlanId ?? stockClassId;
  if (!id) return <None />;
  const page = equityPlanId ? `/classes-and-plans/plans/${id}` : `/classes-and-plans/classes/${id}`;
  return <Link href={path(page)}>{names.get(id) ?? REGISTER.pending}</Link>;
}
