// The fields of a share class.
import { Type } from "@sinclair/typebox";
import {
  date,
  decimal,
  defaulted,
  EXTENSION,
  freeText,
  integer,
  listOf,
  name,
  oneOf,
  optional,
  text,
} from "../kernel/fields.ts";
import { refersTo } from "./reference.ts";

/** What anybody may say of a share class. */
export const SHARE_CLASS_FIELDS = {
  name: name(100),
  classType: oneOf(["COMMON", "PREFERRED"]),
  defaultIdPrefix: text(20, { description: "Prefix of generated certificate ids.", examples: ["CS-"] }),
  /** On imported classes the column may hold OCF's `UNLIMITED` or `NOT APPLICABLE`. */
  initialSharesAuthorized: decimal(),
  votesPerShare: decimal({ description: '`"0"` means non-voting.', examples: ["1"] }),
  parValue: optional(decimal()),
  pricePerShare: optional(decimal({ description: "Issuance price." })),
  seniority: integer(1, { description: "1 is most senior." }),
  liquidationPreferenceMultiple: optional(decimal({ description: "Preferred classes only." })),
  participationCapMultiple: optional(decimal({ description: "Preferred classes only." })),
  isParticipating: defaulted(Type.Boolean(), false),
  boardApprovalDate: optional(date()),
  stockholderApprovalDate: optional(date()),
  comments: optional(freeText()),
  sourceDocumentId: optional(refersTo("documents")),
  stockLegendIds: defaulted(listOf(refersTo("stock_legends"), EXTENSION), []),
};
