// Invitation and reset links: the secret is after `#`, so that it reaches no server log and no other site.
import { useEffect, useState } from "preact/hooks";
import { answer, personApi } from "../api/client.ts";
import { type Query, useQuery } from "../api/query.ts";
import type { paths } from "../api/types.ts";

/** What the server tells of a link. */
export type LinkTold = paths["/api/v1/auth/link"]["post"]["responses"][200]["content"]["application/json"]["data"];

/** The secret in the address; empty without one. */
export function linkToken(): string {
  return location.hash.slice(1);
}

/** Asks what the link in the address is for. */
export function useLink(): Query<LinkTold> {
  const [token, setToken] = useState(linkToken());
  useEffect(() => {
    // Another link that is put into the same tab loads nothing.
    const take = () => setToken(linkToken());
    addEventListener("hashchange", take);
    return () => removeEventListener("hashchange", take);
  }, []);
  return useQuery(token ? `link ${token}` : null, async (signal) => {
    const { data } = await answer(personApi.POST("/api/v1/auth/link", { body: { token }, signal }));
    return data;
  });
}
