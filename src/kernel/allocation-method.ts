// The allocation methods of vesting terms, as Open Cap Format names them.

/** How shares that do not divide evenly fall on the events; each follows the OCF definition of the same name. */
export const ALLOCATION_METHODS = [
  "CUMULATIVE_ROUNDING",
  "CUMULATIVE_ROUND_DOWN",
  "FRONT_LOADED",
  "BACK_LOADED",
  "FRONT_LOADED_TO_SINGLE_TRANCHE",
  "BACK_LOADED_TO_SINGLE_TRANCHE",
  "FRACTIONAL",
] as const;

/** One of them. */
export type AllocationMethod = (typeof ALLOCATION_METHODS)[number];
