// The organization of the page: its pages ask for it, and for what they may do there.
import { createContext } from "preact";
import { useContext } from "preact/hooks";
import { type Api, apiOf } from "../api/client.ts";
import { type Membership, mayAs, type Role } from "../api/session.ts";
import { Store } from "../api/store.ts";

/** What a page of an organization has to know of it. */
export interface OrganizationContext {
  readonly id: string;
  readonly name: string;
  readonly role: Role;
  readonly membership: Membership;
  /** The API of this organization. */
  readonly api: Api;
  /** Whether the person may do what a role may: what one may not is absent, not disabled. */
  may(role: Role): boolean;
  /** The address of a page: `path("/stakeholders")`. */
  path(below?: string): string;
  /** A key for `useQuery`, with the organization in it. */
  key(...parts: readonly (string | number | boolean | null | undefined)[]): string;
}

const Context = createContext<OrganizationContext | null>(null);
export const OrganizationProvider = Context.Provider;

/** The organization that was last looked at in this tab. */
export const lastLookedAt = new Store<string | null>(null);

/** What pages of a membership's organization are given. */
export function organizationOf(membership: Membership): OrganizationContext {
  const { id, legalName: name, role } = membership;
  return {
    ...{ id, name, role, membership, api: apiOf(id) },
    may: (needed) => mayAs(role, needed),
    path: (below = "") => `/o/${id}${below}`,
    key: (...parts) => JSON.stringify([id, ...parts]),
  };
}

/** The organization of the page. Throws outside of one. */
export function useOrganization(): OrganizationContext {
  const organization = useContext(Context);
  if (!organization) throw new Error("not a page of an organization");
  return organization;
}
