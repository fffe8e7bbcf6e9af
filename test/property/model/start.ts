// What every history begins with, and the model of it in which nothing has happened yet.
import { RULES, type Rules } from "./rules.ts";
import { copyOfState, type Model, type State } from "./state.ts";
import { VARIANTS } from "./terms.ts";
import { units } from "./units.ts";

/** How many holders, and the figures and days of the classes and plans. Those without a day begin when they are made. */
export const START: Founding = {
  holders: 3,
  classes: [
    { authorized: "400", classType: "COMMON", approvals: ["2024-02-29"] },
    { authorized: "250.5", classType: "COMMON", approvals: ["2025-06-30", "2025-01-15"] },
    { authorized: "300", classType: "PREFERRED", approvals: [] },
  ],
  plans: [
    { reserve: "120", classes: [0], adopted: "2025-01-15", boardApproval: "2024-02-29" },
    { reserve: "80.25", classes: [0, 1], adopted: null, boardApproval: "2025-06-30" },
    { reserve: "60", classes: [], adopted: null, boardApproval: null },
  ],
};

interface Founding {
  readonly holders: number;
  readonly classes: readonly {
    readonly authorized: string;
    readonly classType: "COMMON" | "PREFERRED";
    /** By the board and by the stockholders. */
    readonly approvals: readonly string[];
  }[];
  readonly plans: readonly {
    readonly reserve: string;
    readonly classes: readonly number[];
    readonly adopted: string | null;
    readonly boardApproval: string | null;
  }[];
}

/** The model of an organization in which nothing has happened yet. */
export function newModel(rules: Rules = RULES): Model {
  const founded = {
    classes: START.classes.map(({ authorized }) => {
      return { initial: units(authorized), authorized: units(authorized), isDeleted: false };
    }),
    plans: START.plans.map(({ reserve, classes }) => {
      const initial = units(reserve);
      return { initial, reserved: initial, available: initial, classes, isDeleted: false };
    }),
  } satisfies Omit<State, "securities">;
  const state = copyOfState({ ...founded, securities: [] });
  const terms = VARIANTS.map(([first]) => first);
  return { ...state, log: [], terms, vesting: [], milestones: [], founded, rules };
}
