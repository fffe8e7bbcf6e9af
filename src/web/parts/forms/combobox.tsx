// An editable combobox with a list, as the ARIA authoring practices have it: for holders, securities, and whatever is too
// many for a `select`.
import type { RefObject } from "preact";
import { useId, useRef, useState } from "preact/hooks";
import { COMMON, FIELD_FAULTS } from "../../text/common.ts";
import { Field, type FieldProps } from "./field.tsx";
import type { Option } from "./field-spec.ts";

const SHOWN_MAX = 50;

/** Options whose label or hint has every word that was typed. */
export function matching(options: readonly Option[], typed: string): readonly Option[] {
  const words = typed.toLocaleLowerCase().split(/\s+/).filter(Boolean);
  const fits = ({ label, hint = "" }: Option) => {
    const text = `${label} ${hint}`.toLocaleLowerCase();
    return words.every((word) => text.includes(word));
  };
  return options.filter(fits).slice(0, SHOWN_MAX);
}

/** A field for one of many; its value is the option's `value`, or empty. `onType` lets the options be asked for. */
export function Combobox({
  options,
  onType,
  isOpenAtFirst = false,
  ...field
}: FieldProps & {
  readonly options: readonly Option[];
  readonly onType?: (typed: string) => void;
  /** Whether the list shows before anything is typed. */
  readonly isOpenAtFirst?: boolean;
}) {
  const { label, name, value, onInput, onLeave, isOptional = false, hint, fault } = field;
  const chosen = options.find((option) => option.value === value);
  const [typed, setTyped] = useState<string | null>(null);
  const [isOpen, setOpen] = useState(isOpenAtFirst);
  const [at, setAt] = useState(0);
  const listId = useId();
  const list = useRef<HTMLDivElement>(null);
  const found = matching(options, typed ?? "");
  const choose = (option: Option | undefined) => {
    if (option) onInput(option.value);
    setTyped(null);
    setOpen(false);
  };
  const move = (to: number) => {
    setOpen(true);
    setAt(to);
    list.current?.children[to]?.scrollIntoView({ block: "nearest" });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "ArrowDown") move(isOpen ? Math.min(at + 1, found.length - 1) : 0);
    else if (event.key === "ArrowUp") move(Math.max(at - 1, 0));
    else if (event.key === "Enter" && isOpen) choose(found[at]);
    else if (event.key === "Escape" && isOpen) {
      setTyped(null);
      setOpen(false);
    } else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const isUnknown = typed !== null && typed !== "" && found.length === 0;
  return (
    <Field
      {...{
        label,
        isOptional: isOptional && !isOpenAtFirst,
        hint,
        fault: fault ?? (isUnknown && !isOpen ? FIELD_FAULTS.choice : undefined),
      }}
      control={(tied) => (
        <div class="combobox">
          <input
            {...tied}
            name={name}
            type="text"
            role="combobox"
            autoComplete="off"
            spellcheck={false}
            aria-expanded={isOpen}
            aria-controls={listId}
            aria-autocomplete="list"
            aria-activedescendant={isOpen && found[at] ? `${listId}-${at}` : undefined}
            value={typed ?? chosen?.label ?? ""}
            onInput={(event) => {
              const text = event.currentTarget.value;
              setTyped(text);
              setAt(0);
              setOpen(true);
              if (text === "") onInput("");
              onType?.(text);
            }}
            onClick={() => setOpen(true)}
            onKeyDown={onKeyDown}
            onBlur={() => {
              // What was typed whole counts as chosen.
              choose(found.find((option) => option.label.toLocaleLowerCase() === typed?.toLocaleLowerCase()));
              onLeave?.();
            }}
          />
          <OptionList {...{ id: listId, label, isOpen, found, at, choose, list }} />
        </div>
      )}
    />
  );
}

interface OptionListProps {
  readonly id: string;
  readonly label: string;
  readonly isOpen: boolean;
  readonly found: readonly Option[];
  /** Which of them the keys have reached. */
  readonly at: number;
  readonly choose: (option: Option) => void;
  readonly list: RefObject<HTMLDivElement | null>;
}

function OptionList({ id, label, isOpen, found, at, choose, list }: OptionListProps) {
  return (
    <div class="combobox-list" id={id} role="listbox" aria-label={label} hidden={!isOpen} ref={list}>
      {found.map((option, index) => (
        // biome-ignore lint/a11y/useFocusableInteractive lint/a11y/useKeyWithClickEvents: the field has the focus and takes the keys
        <div
          key={option.value}
          id={`${id}-${index}`}
          role="option"
          aria-selected={index === at}
          class="option"
          onPointerDown={(event) => event.preventDefault()}
          onClick={() => choose(option)}
        >
          <span>{option.label}</span>
          {option.hint && <span class="hint">{option.hint}</span>}
        </div>
      ))}
      {found.length === 0 && <div class="option none">{COMMON.noOptions}</div>}
    </div>
  );
}
