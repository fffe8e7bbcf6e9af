// Actions that the pages name in their own words, in the groups of the menu "Record".

/** An action: the operation that it records, and its label. */
export interface ActionWords {
  readonly operation: string;
  readonly label: string;
}

/** Actions under a heading. */
export interface ActionGroup {
  readonly title: string;
  readonly actions: readonly ActionWords[];
}

/** The actions, in groups. */
export const NAMED_ACTIONS: readonly (ActionGroup & { readonly group: string })[] = [
  {
    group: "issue",
    title: "Issue",
    actions: [
      { operation: "issue-shares", label: "Issue shares" },
      { operation: "issue-options", label: "Grant options" },
      { operation: "issue-warrant", label: "Issue a warrant" },
      { operation: "issue-convertible", label: "Issue a convertible" },
    ],
  },
  {
    group: "holdings",
    title: "Change holdings",
    actions: [
      { operation: "transfer", label: "Transfer" },
      { operation: "exercise", label: "Exercise" },
      { operation: "cancel", label: "Cancel" },
      { operation: "repurchase", label: "Repurchase" },
      { operation: "convert", label: "Convert" },
      { operation: "retract", label: "Retract an issuance" },
      { operation: "correct", label: "Correct an issuance" },
      { operation: "terminate-service", label: "Record a leaver" },
    ],
  },
  {
    group: "vesting",
    title: "Vesting",
    actions: [
      { operation: "start-vesting", label: "Start vesting" },
      { operation: "record-vesting-event", label: "Record a vesting event" },
      { operation: "accelerate-vesting", label: "Accelerate vesting" },
    ],
  },
  {
    group: "limits",
    title: "Classes and plans",
    actions: [
      { operation: "adjust-authorized", label: "Change authorized shares" },
      { operation: "adjust-reserve", label: "Change a plan's reserve" },
      { operation: "adjust-conversion", label: "Change how a class converts" },
      { operation: "split", label: "Split a class" },
    ],
  },
];
