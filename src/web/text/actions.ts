// Names of the guided actions, in the groups of the menu "Record" and for the search.
import { MORE_ACTIONS } from "../api/menu.ts";
import { type ActionGroup, type ActionWords, NAMED_ACTIONS } from "./actions/named-actions.ts";

/** Operations that the API alone names. */
const MORE: readonly (ActionWords & { readonly group: string })[] = MORE_ACTIONS;

/** All guided actions, in groups. */
export const ACTION_GROUPS: readonly ActionGroup[] = NAMED_ACTIONS.map(({ group, title, actions }) => ({
  title,
  actions: [...actions, ...MORE.filter((more) => more.group === group)],
}));
