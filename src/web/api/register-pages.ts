// The registers that have a page by themselves, with its title: the side bar names them before any list is loaded. Made
// by .ci/api-types.ts of src/storage/records/.

export const REGISTER_PAGES = { "stock-legends": "Stock legends" } as const;
