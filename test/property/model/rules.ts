// Rules of the model that a control test may turn wrong, to see that the histories notice.

/** Each is true, but in a control. */
export interface Rules {
  /** What a transfer, exercise or conversion makes takes over the charge. */
  readonly movesTakeChargeAlong: boolean;
  /** A return gives back the charge, not the quantity. */
  readonly returnsGiveTheCharge: boolean;
  /** In a view, an entry waits until what it needs is there. */
  readonly unfoundedEntriesWait: boolean;
  /** Limits bind on later days that have entries too. */
  readonly limitsBindOnLaterDays: boolean;
  /** A split leaves a plan for several classes as it is. */
  readonly splitsLeaveSharedPlans: boolean;
  /** Cancellations take unvested shares first. */
  readonly cutsTakeUnvestedFirst: boolean;
}

/** The rules as they are. */
export const RULES: Rules = {
  movesTakeChargeAlong: true,
  returnsGiveTheCharge: true,
  unfoundedEntriesWait: true,
  limitsBindOnLaterDays: true,
  splitsLeaveSharedPlans: true,
  cutsTakeUnvestedFirst: true,
};
