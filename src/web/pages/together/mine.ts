// What holders see of their own.
import { Page as certificate } from "../certificate.tsx";
import { Page as mine } from "../mine.tsx";

export const PAGES = { mine, certificate } as const;
