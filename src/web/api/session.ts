// Session of the page: the signed-in account and its organizations, as the server answers them.
import { dropDraftsOfOthers } from "../parts/forms/drafts.ts";
import { answer, BACKGROUND, personApi } from "./client.ts";
import { forgetQueries } from "./remembered.ts";
import { sessionCheck } from "./send.ts";
import { Store } from "./store.ts";
import type { paths } from "./types.ts";
import type { Member } from "./values.ts";

/** What `GET /auth/session` tells. */
export type Session = paths["/api/v1/auth/session"]["get"]["responses"][200]["content"]["application/json"]["data"];
/** An organization of which the person is a member. */
export type Membership = Session["organizations"][number];
/** A role in an organization, from low to high. */
export type Role = Membership["role"];

/** The roles, from low to high: the API's list, and not read from it, for the first page loads no list of another record. */
export const ROLES: (typeof Member)["role"] = ["STAKEHOLDER", "VIEWER", "EDITOR", "ADMIN"];

/** Whether a role allows what another does. */
export function mayAs(role: Role, needed: Role): boolean {
  return ROLES.indexOf(role) >= ROLES.indexOf(needed);
}

/** The session; null until it is known. */
export const session = new Store<Session | null>(null);

/** Takes what an answer said of the session. */
export function takeSession(told: Session): void {
  const before = session.value?.account?.id;
  // Another account's figures must not be shown, not even for a moment.
  if (before !== undefined && told.account !== null && told.account.id !== before) forgetQueries();
  if (told.account !== null) dropDraftsOfOthers(told.account.id);
  session.set(told);
}

/** Reads the session from the server; with `isBackground` the request does not count as activity. */
export async function readSession({ isBackground = false } = {}): Promise<Session> {
  const headers = isBackground ? BACKGROUND : {};
  const { data } = await answer(personApi.GET("/api/v1/auth/session", { headers }));
  takeSession(data);
  return data;
}

sessionCheck.isSignedIn = async () => {
  const { data } = await answer(personApi.GET("/api/v1/auth/session"));
  return data.state === "SIGNED_IN" && data.account?.id === session.value?.account?.id;
};

/** Ends the session, and forgets all that was read and typed. */
export async function signOut(): Promise<void> {
  // Another tab may have ended the session, so a 401 here opens no sign-in dialog.
  const { state } = await readSession();
  // No write: what is shown is not read again.
  if (state === "SIGNED_IN") await answer(personApi.DELETE("/api/v1/auth/session"));
  sessionStorage.clear();
  location.assign("/sign-in");
}
