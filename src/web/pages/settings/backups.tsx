// Backups, for operators: their state, and the command that makes one.
import { answer, personApi } from "../../api/client.ts";
import { useQuery } from "../../api/query.ts";
import { bytesText, countText } from "../../locale.ts";
import { Copy } from "../../parts/copy.tsx";
import { Instant } from "../../parts/figure.tsx";
import { Card, Facts } from "../../parts/page-head.tsx";
import { Loaded } from "../../parts/states.tsx";
import { INSTANCE } from "../../text/account.ts";
import { BACKUPS } from "../../text/settings.ts";

/** The tab. */
export function Backups() {
  const query = useQuery("instance", (signal) => answer(personApi.GET("/api/v1/instance", { signal })));
  return (
    <Card title={BACKUPS.title}>
      <p class="note">{BACKUPS.words}</p>
      <p class="coded">
        <code>{INSTANCE.command}</code>
        <Copy text={INSTANCE.command} />
      </p>
      <Loaded query={query} what={BACKUPS.title} lines={2}>
        {({ data: { backups } }) => (
          <Facts
            facts={[
              [INSTANCE.automatic, everyWords(backups.everyHours)],
              [INSTANCE.last, backups.lastAt === null ? INSTANCE.never : <Instant key="at" value={backups.lastAt} />],
              ...(backups.lastBytes === null ? [] : [[INSTANCE.size, bytesText(backups.lastBytes)] as const]),
            ]}
          />
        )}
      </Loaded>
    </Card>
  );
}

function everyWords(hours: number | null): string {
  return hours === null ? BACKUPS.notBySelf : INSTANCE.every(INSTANCE.hours(countText(hours)));
}
