// How ledger entries are listed.
import type { Register } from "./register.ts";

/** The register of entries. */
export const ENTRY_REGISTER = {
  title: "Ledger",
  none: "The ledger begins with the first issuance.",
  list: {
    number: "Entry",
    date: "Date",
    type: "Type",
    security: "Security",
    holder: "Holder",
    quantity: "Quantity",
    recorded: "Recorded",
  },
  filters: { q: "Certificate, holder or number", type: "Type", from: "From", to: "To" },
} as const satisfies Register;
