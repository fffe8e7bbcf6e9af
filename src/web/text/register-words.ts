// Names of types and states of securities and holders, for all registers.
import type { Security, Stakeholder } from "../api/values.ts";
import { dayText } from "../locale.ts";
import { COMMON, type Labels } from "./common.ts";

export const REGISTER = {
  noHolder: "No holder",
  deletedHolder: "Deleted stakeholder",
  pending: "…",
  filters: "Filters",
  all: "All",
  print: "Print",
  columns: "Columns",
  csv: "Download CSV",
  printOf: (organization: string, what: string) => `${organization}, ${what}`,
  printedOn: (day: string) => `Printed ${dayText(day)}`,
  holder: "Holder",
  certificate: "Certificate",
  type: "Type",
  status: "Status",
  quantity: "Quantity",
  documents: "Documents",
  noDocuments: "No documents.",
  document: "Document",
  size: "Size",
  added: "Added",
  file: "File",
  noFile: "No file",
  elsewhere: "Open elsewhere",
  download: "Download",
  comments: "Comments",
  boardApproval: "Board approval",
  holderApproval: "Stockholder approval",
  yes: "Yes",
  no: "No",
  none: COMMON.none,

  securityTypes: {
    STOCK: "Shares",
    STOCK_OPTION: "Option",
    WARRANT: "Warrant",
    CONVERTIBLE: "Convertible",
  } satisfies Labels<typeof Security.type>,
  securityTypesMany: {
    STOCK: "Shares",
    STOCK_OPTION: "Options",
    WARRANT: "Warrants",
    CONVERTIBLE: "Convertibles",
  } satisfies Labels<typeof Security.type>,
  securityStatuses: {
    ACTIVE: "Active",
    CANCELLED: "Cancelled",
    EXERCISED: "Exercised",
    CONVERTED: "Converted",
    REPURCHASED: "Repurchased",
    TRANSFERRED: "Transferred",
  } satisfies Labels<typeof Security.status>,
  tokenStatuses: {
    NOT_APPLICABLE: "No token",
    PENDING_APPROVAL: "Not approved",
    PENDING: "Pending",
    MINTED: "Minted",
    FAILED: "Failed",
  } satisfies Labels<typeof Security.tokenStatus>,
  acceptanceStatuses: {
    NOT_ASKED: "Not asked",
    PENDING: "Waiting for the holder",
    ACCEPTED: "Accepted",
  } satisfies Labels<typeof Security.acceptanceStatus>,
  optionTypes: { ISO: "ISO (incentive)", NSO: "NSO (non-qualified)" } satisfies Labels<typeof Security.optionType>,
  holderTypes: { INDIVIDUAL: "Individual", INSTITUTION: "Institution" } satisfies Labels<typeof Stakeholder.type>,
  holderStatuses: { CURRENT: "Current", FORMER: "Former" } satisfies Labels<typeof Stakeholder.status>,
  relationships: {
    ADVISOR: "Advisor",
    BOARD_MEMBER: "Board member",
    CONSULTANT: "Consultant",
    EMPLOYEE: "Employee",
    EX_ADVISOR: "Former advisor",
    EX_CONSULTANT: "Former consultant",
    EX_EMPLOYEE: "Former employee",
    EXECUTIVE: "Executive",
    FOUNDER: "Founder",
    INVESTOR: "Investor",
    OTHER: "Other",
  } satisfies Labels<typeof Stakeholder.relationships>,
} as const;

/** Choices of a filter or a field, from names by their codes. */
export function choicesOf<C extends string>(names: Readonly<Record<C, string>>) {
  return (Object.entries(names) as [C, string][]).map(([value, label]) => ({ value, label }));
}
