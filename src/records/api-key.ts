// The fields of an API key.
import { instant, oneOf, optional, text } from "../kernel/fields.ts";

/** The roles of API keys, lowest first; a key may do what its role or a lower one may. */
export const ROLES = ["VIEWER", "EDITOR", "ADMIN"] as const;
export type Role = (typeof ROLES)[number];

/** What is said of a new API key. */
export const API_KEY_FIELDS = {
  name: text(100),
  role: oneOf(ROLES),
  expiresAt: optional(instant({ description: "When the key stops working; later than now. Without it: never." })),
};
