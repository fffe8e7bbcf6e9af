// "Waiting for you": what a holder is asked to accept, with its terms, its documents to be opened first, and the sentence.
import { useState } from "preact/hooks";
import { write } from "../../api/client.ts";
import { ApiProblem } from "../../api/problem.ts";
import { changed } from "../../api/remembered.ts";
import {
  type OwnAcceptance,
  type OwnDocument,
  useOwnAcceptances,
  useOwnDocuments,
  useOwnHeader,
} from "../../frame/own-portal.ts";
import { useOrganization } from "../../frame/page-organization.ts";
import { bytesText, dayText, quantityText } from "../../locale.ts";
import { Button } from "../../parts/button.tsx";
import { CheckField } from "../../parts/forms/other-fields.tsx";
import { Badge, Notice } from "../../parts/notice.tsx";
import { Card } from "../../parts/page-head.tsx";
import { toast } from "../../parts/toast.tsx";
import { useAction } from "../../parts/use-action.tsx";
import { isWebAddress } from "../../parts/web-address.ts";
import { MINE } from "../../text/mine.ts";
import { useOpenDocument } from "./own-records.tsx";

type Terms = NonNullable<OwnAcceptance["terms"]>;
/** What waits has terms, a sentence and a digest. */
type Asked = OwnAcceptance & { readonly terms: Terms; readonly text: string; readonly digest: string };

function isAsked(item: OwnAcceptance): item is Asked {
  return item.state === "PENDING" && item.terms !== null && item.text !== null && item.digest !== null;
}

/** All that waits; nothing where nothing does. */
export function Waiting() {
  const [isChanged, setChanged] = useState(false);
  const items = (useOwnAcceptances().data ?? []).filter(isAsked);
  if (items.length === 0) return null;
  return (
    <Card title={MINE.waiting} class="waiting">
      <p class="note">{MINE.waitingWords}</p>
      {isChanged && (
        <Notice tone="bad" title={MINE.changedTitle}>
          {MINE.changedWords}
        </Notice>
      )}
      {items.map((item) => (
        // Other terms or documents are to be read, and opened, anew.
        <One key={item.digest} item={item} onChanged={setChanged} />
      ))}
    </Card>
  );
}

const LEGENDS = "Legends: ";

function One({ item, onChanged }: { readonly item: Asked; readonly onChanged: (isChanged: boolean) => void }) {
  const { terms, documents, text, certificateId } = item;
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set());
  const [isTicked, setTicked] = useState(false);
  const accepting = useAccept(item, onChanged);
  const shared = useOwnDocuments().data?.items ?? [];
  const files = documents.map((document) => ({ ...document, file: shared.find(({ id }) => id === document.id) }));
  const isLeft = ({ id, size, file }: (typeof files)[number]) =>
    !opened.has(id) && (size !== null || isWebAddress(file?.uri ?? ""));
  const left = files.filter(isLeft).length;
  const missing = left > 0 ? MINE.openAll(documents.length) : isTicked ? null : MINE.tickFirst;
  const titleOf = ([label]: readonly string[]) => label === "Document";
  return (
    <section class="to-accept" aria-label={certificateId ?? text}>
      <h3>
        {terms.statement.find(titleOf)?.[1]} {certificateId}
      </h3>
      <dl class="facts">
        {terms.statement
          .filter(([label = ""]) => !label.startsWith(LEGENDS))
          .map(([label = "", value]) => (
            <div key={label}>
              <dt>{label}</dt>
              <dd class="breakable">{value}</dd>
            </div>
          ))}
      </dl>
      {terms.statement
        .filter(([label = ""]) => label.startsWith(LEGENDS))
        .map(([label = "", value]) => (
          <div key={label} class="legend">
            <h4>{label.slice(LEGENDS.length)}</h4>
            <p>{value}</p>
          </div>
        ))}
      {terms.vesting.length > 0 && <Vesting vesting={terms.vesting} />}
      {files.length > 0 && (
        <ul class="documents">
          {files.map((document) => (
            <ToOpen
              key={document.id}
              document={document}
              isOpened={opened.has(document.id)}
              onOpened={() => setOpened((before) => new Set([...before, document.id]))}
            />
          ))}
        </ul>
      )}
      <CheckField name="accept" label={text} isChecked={isTicked} onChange={setTicked} hint={missing} />
      {accepting.trouble}
      <div class="row spaced">
        <Button
          kind="primary"
          {...accepting.button}
          aria-disabled={missing !== null}
          onClick={() => missing === null && accepting.button.onClick()}
        >
          {MINE.accept}
        </Button>
      </div>
    </section>
  );
}

function useAccept({ securityId, digest, certificateId }: Asked, onChanged: (isChanged: boolean) => void) {
  const { api } = useOrganization();
  const header = useOwnHeader();
  return useAction(async () => {
    try {
      await write(api.POST("/api/v1/portal/acceptances", { params: { header }, body: { securityId, digest } }));
    } catch (thrown) {
      if (!(thrown instanceof ApiProblem) || thrown.status !== 412) throw thrown;
      onChanged(true);
      changed();
      return;
    }
    onChanged(false);
    toast(MINE.acceptedToast(certificateId ?? ""));
  });
}

function Vesting({ vesting }: Pick<Terms, "vesting">) {
  return (
    <details>
      <summary>{MINE.vests}</summary>
      <table class="table">
        <thead>
          <tr>
            <th scope="col">{MINE.vestsOn}</th>
            <th scope="col" class="num">
              {MINE.howMany}
            </th>
          </tr>
        </thead>
        <tbody>
          {vesting.map(({ date, quantity }) => (
            <tr key={date}>
              <td>{dayText(date)}</td>
              <td class="num">{quantityText(quantity)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  );
}

function ToOpen({
  document: { id, title, size, file },
  isOpened,
  onOpened,
}: {
  readonly document: Asked["documents"][number] & { readonly file: OwnDocument | undefined };
  readonly isOpened: boolean;
  readonly onOpened: () => void;
}) {
  const name = title ?? file?.fileName ?? MINE.document;
  const open = useOpenDocument({ id, name: file?.fileName ?? name }, onOpened);
  const uri = file?.uri ?? "";
  return (
    <li>
      <div>
        <div class="label breakable">{name}</div>
        {size !== null && <div class="note small">{bytesText(size)}</div>}
        {open.trouble}
      </div>
      {isOpened && <Badge tone="good">{MINE.opened}</Badge>}
      {size === null && isWebAddress(uri) && (
        <a
          class="button plain"
          href={uri}
          rel="noreferrer"
          target="_blank"
          aria-label={`${MINE.open}: ${name}`}
          onClick={onOpened}
        >
          {MINE.open}
        </a>
      )}
      {size !== null && (
        <Button {...open.button} aria-label={`${MINE.open}: ${name}`}>
          {MINE.open}
        </Button>
      )}
    </li>
  );
}
