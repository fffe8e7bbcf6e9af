// Settings, and packages of the Open Cap Format.

import { Page as ocf } from "../ocf.tsx";
import { Page as settings } from "../settings.tsx";

export const PAGES = { settings, ocf } as const;
