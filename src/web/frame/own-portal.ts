// What a person's own portal answers, asked for by the pages that show it.
import { answer, type Schemas } from "../api/client.ts";
import { useWholeList } from "../api/list-pages.ts";
import { useQuery } from "../api/query.ts";
import { useOrganization } from "./page-organization.ts";

/** What `GET /portal` answers. */
export type Portal = Schemas["Portal"];
/** Something that the person holds. */
export type OwnHolding = Portal["holdings"][number];
/** A document that is shared with the person. */
export type OwnDocument = Schemas["PortalDocumentsPage"]["data"][number];
/** A ledger entry of the person. */
export type OwnEntry = Schemas["PortalTransactionsPage"]["data"][number];

/** What waits for the person's acceptance, or was accepted. */
export type OwnAcceptance = Schemas["ListPortalAcceptancesResult"]["items"][number];

/** The header that routes of the portal cannot do without. */
export function useOwnHeader() {
  return { "Captable-Organization": useOrganization().id };
}

/** What the person holds; asked for where the person is a stakeholder. */
export function usePortal(isAsked = true) {
  const { api, key } = useOrganization();
  const header = useOwnHeader();
  return useQuery(
    isAsked ? key("portal") : null,
    async (signal) => (await answer(api.GET("/api/v1/portal", { params: { header }, signal }))).data,
  );
}

/** How something of the person's vests; null asks nothing. */
export function useOwnVesting(id: string | null) {
  const { api, key } = useOrganization();
  const header = useOwnHeader();
  return useQuery(id === null ? null : key("portal", "vesting", id), async (signal) => {
    const params = { header, path: { id: id ?? "" } };
    return (await answer(api.GET("/api/v1/portal/securities/{id}/vesting", { params, signal }))).data;
  });
}

/** What waits for the person's acceptance, and what was accepted. */
export function useOwnAcceptances() {
  const { api, key } = useOrganization();
  const header = useOwnHeader();
  return useQuery(
    key("portal", "acceptances"),
    async (signal) => (await answer(api.GET("/api/v1/portal/acceptances", { params: { header }, signal }))).data.items,
  );
}

/** The documents shared with the person. */
export function useOwnDocuments() {
  const { api, key } = useOrganization();
  const header = useOwnHeader();
  return useWholeList<OwnDocument>(key("portal", "documents"), async (query, signal) => {
    const page = await answer(api.GET("/api/v1/portal/documents", { params: { header, query }, signal }));
    return { items: page.data, nextCursor: page.nextCursor };
  });
}

/** The person's ledger entries. */
export function useOwnEntries() {
  const { api, key } = useOrganization();
  const header = useOwnHeader();
  return useWholeList<OwnEntry>(key("portal", "entries"), async (query, signal) => {
    const page = await answer(api.GET("/api/v1/portal/transactions", { params: { header, query }, signal }));
    return { items: page.data, nextCursor: page.nextCursor };
  });
}
