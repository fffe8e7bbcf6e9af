// The typed client as a package: the build of the executable puts it in place of this module. A checkout has none.

/** The bytes of the package (a tar in gzip); null in a checkout. */
export const packedClient: (() => Promise<Uint8Array>) | null = null;
