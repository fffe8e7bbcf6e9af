// Names of the guided actions, in the groups of the menu "Record" and for the search.

/** An action: the operation that it records, and its label. */
export interface ActionWords {
  readonly operation: string;
  readonly label: string;
}

/** All guided actions, in groups. */
export const ACTION_GROUPS: readonly { readonly title: string; readonly actions: readonly ActionWords[] }[] = [
  {
    title: "Issue",
    actions: [
      { operation: "issue-shares", label: "Issue shares" },
      { operation: "issue-options", label: "Grant options" },
      { operation: "issue-warrant", label: "Issue a warrant" },
      { operation: "issue-convertible", label: "Issue a convertible" },
    ],
  },
  {
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
    title: "Vesting",
    actions: [
      { operation: "start-vesting", label: "Start vesting" },
      { operation: "record-vesting-event", label: "Record a vesting event" },
      { operation: "accelerate-vesting", label: "Accelerate vesting" },
    ],
  },
  {
    title: "Classes and plans",
    actions: [
      { operation: "adjust-authorized", label: "Change authorized shares" },
      { operation: "adjust-reserve", label: "Change a plan's reserve" },
      { operation: "adjust-conversion", label: "Change how a class converts" },
      { operation: "split", label: "Split a class" },
    ],
  },
];
