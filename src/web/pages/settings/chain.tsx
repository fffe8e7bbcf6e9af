// The tokens of all share classes next to the ledger.
import { useClasses } from "../../frame/lists/register-lists.ts";
import { TokenCard } from "../../frame/token.tsx";
import { Empty, Loaded } from "../../parts/states.tsx";
import { CHAIN } from "../../text/settings.ts";

/** The tab. */
export function Chain() {
  const query = useClasses();
  return (
    <>
      <p class="note lead">{CHAIN.tokensWords}</p>
      <Loaded query={query} what={CHAIN.tokens}>
        {({ items }) =>
          items.length === 0 ? (
            <Empty words={CHAIN.none} />
          ) : (
            <div class="columns">
              {items.map((shareClass) => (
                <TokenCard key={shareClass.id} shareClass={shareClass} title={shareClass.name} />
              ))}
            </div>
          )
        }
      </Loaded>
    </>
  );
}
