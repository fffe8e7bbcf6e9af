// What the side bar and the menus name before any list or form is loaded: registers that have a page by themselves, and
// operations that the pages do not name in their own words. Made by .ci/api-types.ts of src/storage/records/ and
// src/ledger/operations/.

export const REGISTER_PAGES = { "stock-legends": "Stock legends" } as const;

export const MORE_ACTIONS = [] as const;
