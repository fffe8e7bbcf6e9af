// Chunk of what lies over pages: loaded a second after them.

import { SearchDialog } from "../search/search-dialog.tsx";
import { AskDialog } from "./ask-forms.tsx";

export const OVER_PAGE = { AskDialog, SearchDialog } as const;
