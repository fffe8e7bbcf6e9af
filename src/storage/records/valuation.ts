// The fields of a valuation.
import {
  date,
  decimal,
  defaulted,
  EXTENSION,
  freeText,
  oneOf,
  optional,
  positiveDecimal,
  text,
} from "../../kernel/fields.ts";
import { refersTo } from "./reference.ts";
import type { Register } from "./register.ts";

/** The status of a valuation. */
export const VALUATION_STATUS = oneOf(["DRAFT", "PENDING_APPROVAL", "APPROVED", "EXPIRED"]);

/** The body of a valuation. */
export const VALUATION_FIELDS = {
  type: oneOf(["409A", "BOARD", "FINANCING"], {
    description: "How the value was found: by a 409A report, the board, or a financing.",
  }),
  status: defaulted({ ...VALUATION_STATUS, description: "How far the valuation is." }, "DRAFT"),
  stockClassId: refersTo("share_classes", { description: "The share class valued." }),
  pricePerShare: positiveDecimal({ description: "The value of one share.", examples: ["1.25"] }),
  effectiveDate: date({ description: "The day from which it counts." }),
  expirationDate: optional(date({ description: "A 409A typically expires twelve months after its effective date." })),
  provider: optional(text(200, { description: "The firm or person that made the valuation." })),
  reportId: optional(text(100, { description: "The provider's number of the report.", ...EXTENSION })),
  fairMarketValue: optional(decimal({ description: "The value found for the class." })),
  enterpriseValue: optional(decimal({ description: "The value of the whole company." })),
  boardApprovalDate: optional(date({ description: "When the board approved." })),
  stockholderApprovalDate: optional(date({ description: "When the stockholders approved." })),
  comments: optional(freeText(2000, { description: "Free text, for people." })),
  sourceDocumentId: optional(refersTo("documents", { description: "The document that proves it." })),
};

/** How valuations are listed, asked for and filed. */
export const VALUATION_REGISTER = {
  title: "Valuations",
  none: "No valuation yet; options need one.",
  list: {
    class: "Class",
    type: "Kind",
    price: "Price per share",
    today: "In today's shares",
    effective: "From",
    expires: "Until",
    status: "State",
    left: "Days left",
    provider: "By",
  },
  filters: { class: "Class", status: "State" },
  form: {
    basics: {
      type: { label: "Kind" },
      stockClassId: { label: "Share class", isBeside: true },
      pricePerShare: { label: "Value per share", suffix: "per share" },
      status: { label: "State", hint: "Only approved valuations count for new options.", isBeside: true },
      effectiveDate: { label: "As of" },
      expirationDate: {
        label: "Valid until",
        hint: "A 409A valuation is valid for at most twelve months.",
        isBeside: true,
      },
    },
    paper: {
      provider: { label: "Made by" },
      reportId: { label: "Report number", isBeside: true },
      fairMarketValue: { label: "Fair market value of the company" },
      enterpriseValue: { label: "Enterprise value", isBeside: true },
      boardApprovalDate: {},
      stockholderApprovalDate: { isBeside: true },
      comments: { label: "Note" },
    },
  },
  sheet: {
    type: { header: "Type" },
    status: { header: "Status" },
    class: { header: "Class", member: "stockClassId" },
    price: { header: "Price per share", member: "pricePerShare", isMoney: true },
    effective: { header: "Effective", member: "effectiveDate" },
    expires: { header: "Expires", member: "expirationDate" },
    provider: { header: "Provider" },
    report: { header: "Report", member: "reportId" },
    fair: { header: "Fair market value", member: "fairMarketValue", isMoney: true },
    enterprise: { header: "Enterprise value", member: "enterpriseValue", isMoney: true },
    board: { header: "Board approval", member: "boardApprovalDate" },
    holders: { header: "Stockholder approval", member: "stockholderApprovalDate" },
    comments: { header: "Comments" },
    id: { header: "Id" },
  },
} as const satisfies Register;
