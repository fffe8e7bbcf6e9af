// Sign-ins under way at a provider, remembered under `state` until the provider sends the browser back.
import type { Question } from "./oidc.ts";

/** What it is for. */
export const PURPOSES = ["sign-in", "accept", "link", "confirm"] as const;
export type Purpose = (typeof PURPOSES)[number];

/** A sign-in under way. */
export interface Handshake {
  readonly purpose: Purpose;
  readonly question: Question;
  /** The hash of the browser's cookie: no other browser can continue. */
  readonly browserHash: string;
  readonly begunMs: number;
  /** The session from which it was begun; it is needed to link and to confirm. */
  readonly asking: { readonly sessionId: string; readonly accountId: string } | null;
  /** The hash of the invitation's token. */
  readonly linkHash: string | null;
}
