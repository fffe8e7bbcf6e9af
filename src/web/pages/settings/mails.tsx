// Mails of the organization: to whom, of what kind, and what became of each; never their text.
import { answer, type Schemas } from "../../api/client.ts";
import { useWholeList } from "../../api/list-pages.ts";
import { useOrganization } from "../../frame/page-organization.ts";
import { Instant, None } from "../../parts/figure.tsx";
import { Badge } from "../../parts/notice.tsx";
import { Card } from "../../parts/page-head.tsx";
import { Empty, Loaded } from "../../parts/states.tsx";
import { type Column, Table } from "../../parts/tables/table.tsx";
import { MAILS } from "../../text/settings.ts";
import { eventWords } from "../account/sessions.tsx";

type Mail = Schemas["MailsPage"]["items"][number];

const COLUMNS: readonly Column<Mail>[] = [
  { id: "to", label: MAILS.to, cell: ({ to }) => <span class="breakable">{to}</span> },
  { id: "kind", label: MAILS.kind, cell: ({ kind }) => eventWords(kind) },
  {
    id: "state",
    label: MAILS.state,
    cell: ({ state }) => <Badge tone={state === "FAILED" ? "bad" : "info"}>{eventWords(state.toLowerCase())}</Badge>,
  },
  { id: "error", label: MAILS.error, isWide: true, cell: ({ error }) => error ?? <None /> },
  { id: "at", label: MAILS.at, isWide: true, cell: ({ createdAt, sentAt }) => <Instant value={sentAt ?? createdAt} /> },
];

/** The card. */
export function Mails() {
  const { api, key } = useOrganization();
  const query = useWholeList(key("mails"), (page, signal) =>
    answer(api.GET("/api/v1/mails", { params: { query: page }, signal })),
  );
  return (
    <Card title={MAILS.title} note={MAILS.words}>
      <Loaded query={query} what={MAILS.title}>
        {({ items }) =>
          items.length === 0 ? (
            <Empty words={MAILS.none} />
          ) : (
            <Table label={MAILS.title} columns={COLUMNS} rows={items} keyOf={({ id }) => id} />
          )
        }
      </Loaded>
    </Card>
  );
}
