// How securities are listed. Their fields are the ledger's, and their sheets by type (views/reports/sheets/).
import type { Register } from "./register.ts";

/** The register of securities. */
export const SECURITY_REGISTER = {
  title: "Securities",
  none: "No security has been issued.",
  list: {
    certificate: "Certificate",
    holder: "Holder",
    type: "Type",
    class: "Class or plan",
    quantity: "Quantity",
    price: "Price or strike",
    date: "Date",
    status: "Status",
    token: "Token",
  },
  filters: {
    q: "Certificate or holder",
    type: "Type",
    status: "Status",
    stockClassId: "Class",
    equityPlanId: "Plan",
    tokenStatus: "Token",
    acceptanceStatus: "Acceptance",
  },
} as const satisfies Register;
