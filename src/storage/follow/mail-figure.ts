// The figure of mails for `/metrics`: how many came to which end, by kind.

/** Its name, before the kind and the state. */
export const MAILS_FIGURE = "mails";
