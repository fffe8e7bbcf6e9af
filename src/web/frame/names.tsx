// Names of what other records point at, as links to their pages. Where a list has not told a name, it is asked for.
import { useMemo } from "preact/hooks";
import { Link } from "wouter-preact";
import { answer, type Schemas } from "../api/client.ts";
import { useWholeList } from "../api/list-pages.ts";
import { useQuery } from "../api/query.ts";
import { None } from "../parts/figure.tsx";
import { REGISTER } from "../text/register-words.ts";
import { useCapTable, useClasses, usePlans } from "./lists/register-lists.ts";
import { useOrganization } from "./page-organization.ts";

type Id = string | null | undefined;

/** Names by ids: null while they are being read, undefined where nothing tells them. */
export interface Names {
  get(id: string): string | null | undefined;
}

/** Nothing is told: each name is asked for by itself. */
export const NO_NAMES: Names = { get: () => undefined };

function namesOf<T extends { readonly id: string | null }>(
  items: readonly T[] | undefined,
  nameOf: (item: T) => string,
): Names {
  if (items === undefined) return { get: () => null };
  return new Map(items.map((item) => [item.id ?? "", nameOf(item)]));
}

/** The names of holders that the cap table tells. */
export function useHolderNames(): Names {
  const { data } = useCapTable();
  return useMemo(() => namesOf(data?.stakeholders, ({ displayName }) => displayName ?? REGISTER.noHolder), [data]);
}

/** The certificates of all securities. */
export function useSecurityNames(): Names {
  const { api, key } = useOrganization();
  const { data } = useWholeList<Schemas["Security"]>(key("securities", "all"), (query, signal) =>
    answer(api.GET("/api/v1/securities", { params: { query }, signal })),
  );
  return useMemo(() => namesOf(data?.items, certificateOf), [data]);
}

/** A holder; `known` is its name where something has told it, null where something is about to. */
export function HolderLink({ id, known }: { readonly id: Id; readonly known?: string | null | undefined }) {
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
export function SecurityLink({ id, known }: { readonly id: Id; readonly known?: string | null | undefined }) {
  const { api, key, path } = useOrganization();
  const query = useQuery(id && known === undefined ? key("security", id) : null, (signal) =>
    answer<Schemas["Security"]>(api.GET("/api/v1/securities/{id}", { params: { path: { id: id ?? "" } }, signal })),
  );
  if (!id) return <None />;
  const name = known ?? (query.data ? certificateOf(query.data) : REGISTER.pending);
  return <Link href={path(`/securities/${id}`)}>{name}</Link>;
}

/** The names of classes and plans by their ids. */
export function useClassNames(): Names {
  const [classes, plans] = [useClasses().data?.items, usePlans().data?.items];
  return useMemo(() => namesOf(classes && plans && [...classes, ...plans], ({ name }) => name), [classes, plans]);
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
