// Routes of a person's identities at the OpenID Connect provider. Going to the provider adds one
// (routes/oidc-routes.ts).
import { Type } from "@sinclair/typebox";
import { id } from "../../kernel/fields.ts";
import { listEnvelope } from "../../resources/crud.ts";
import { presenter, timestamp } from "../../resources/present.ts";
import type { AccessRoute, PersonsRoute } from "../access-route.ts";
import { waysOf } from "../sign-in/ways-left.ts";
import { listIdentities } from "../stores/identity-store.ts";
import { renewed, renewing } from "./account-routes.ts";
import { SESSION_ANSWER } from "./session-routes.ts";

const common = { tag: "Account", isExtension: true, who: "PERSON", status: 200 } as const;

const OwnIdentity = Type.Object({
  id: id({ description: "Identifies the identity." }),
  issuer: Type.String({ description: "The provider.", examples: ["https://accounts.example.com"] }),
  subject: Type.String({ description: "What the provider calls the person.", examples: ["248289761001"] }),
  createdAt: timestamp({ description: "When the identity was linked to the account." }),
});
const showIdentity = presenter(OwnIdentity);

const list: PersonsRoute = {
  ...common,
  method: "GET",
  path: "/api/v1/auth/identities",
  operationId: "listIdentities",
  summary: "List your identities at the provider",
  response: listEnvelope("items", OwnIdentity),
  run: ({ db }, { session }) => ({
    status: 200,
    json: { items: listIdentities(db, session).map(showIdentity), nextCursor: null },
  }),
};

const remove: PersonsRoute = {
  ...common,
  method: "DELETE",
  path: "/api/v1/auth/identities/:id",
  operationId: "removeIdentity",
  summary: "Remove an identity",
  description: "Refused if it is your only way to sign in.",
  needsConfirmation: true,
  problems: [404, 409],
  response: SESSION_ANSWER,
  async run(desk, request) {
    const { token, asked } = renewing(request);
    const identityId = request.params.id ?? "";
    await desk.order("removeIdentity", { ...asked, identityId, ways: waysOf(desk) }, request.visitor);
    return renewed(desk, { token, nowMs: request.nowMs });
  },
};

/** The routes of a person's identities. */
export const identityRoutes: readonly AccessRoute[] = [list, remove];
