// Words of the ledger and of one entry's page.
import { countText } from "../locale.ts";

export const LEDGER = {
  title: "Ledger",
  loading: "the ledger",
  none: "The ledger begins with the first issuance.",
  number: "Entry",
  entry: (sequence: number) => `Entry ${countText(sequence)}`,
  security: "Security",
  recordedAt: "Recorded",
  recordOnly: "Record only",
} as const;
