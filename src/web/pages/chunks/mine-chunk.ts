// Chunk of the portal: My holdings and certificates.
import { Page as certificate } from "../certificate/page.tsx";
import { Page as mine } from "../mine/page.tsx";

export const PAGES = { mine, certificate } as const;
