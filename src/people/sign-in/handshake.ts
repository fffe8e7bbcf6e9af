// What somebody is about to do by a provider, remembered under `state` until the provider sends the browser back.
import type { Question } from "./oidc.ts";

/** What it is for. */
export const PURPOSES = ["sign-in", "accept", "link", "confirm"] as const;
export type Purpose = (typeof PURPOSES)[number];

/** Something that was begun. */
export interface Handshake {
  readonly purpose: Purpose;
  readonly question: Question;
  /** The hash of what the browser's cookie holds: no other browser goes on with it. */
  readonly browserHash: string;
  readonly begunMs: number;
  /** The session from which it was begun; it is needed to link and to confirm. */
  readonly asking: { readonly sessionId: string; readonly accountId: string } | null;
  /** The hash of the invitation's token. */
  readonly linkHash: string | null;
}
