// The form of a round: its class, valuation and investors; the pool, pro rata rights, convertibles and the class's rights.
import { usePlans } from "../../frame/lists/register-lists.ts";
import { DecimalField } from "../../parts/forms/decimal-field.tsx";
import { TextField } from "../../parts/forms/field.tsx";
import { CheckField, DateField } from "../../parts/forms/other-fields.tsx";
import { MODELS } from "../../text/models/models.ts";
import { ROUND } from "../../text/models/round.ts";
import type { AddedConvertible } from "./add-body.ts";
import { AddedInputs, FromField } from "./beginning-fields.tsx";
import { ChoiceField, Group, type ModelForm, Rows } from "./model-fields.tsx";
import { type Convertible, HOW, MFN, OWN } from "./round-body.ts";
import { WhoField } from "./who-field.tsx";

interface InputsProps {
  readonly form: ModelForm;
  readonly convertibles: readonly Convertible[];
  /** Those among the securities that are not there. */
  readonly added: readonly AddedConvertible[];
}

/** All fields; `choices` are what the round can begin with. */
export function RoundInputs({
  form,
  convertibles,
  added,
  choices,
}: InputsProps & { readonly choices: Readonly<Record<string, string>> }) {
  const { values } = form;
  const kind = (values["valuation.kind"] ?? "PRE_MONEY") as keyof typeof ROUND.kinds;
  const { ADDED_AT_COST: _atCost, ...others } = ROUND.convertiblesIn;
  const isAnyThere = convertibles.length > 0 || added.length > 0;
  return (
    <>
      <Group title={ROUND.basics}>
        <FromField form={form} choices={choices} />
        <div class="fields-2">
          <TextField label={ROUND.newClass} {...form.field("newClass.name")} autoComplete="off" />
          <DateField label={ROUND.closingDate} {...form.field("closingDate")} />
          <ChoiceField form={form} name="valuation.kind" label={ROUND.valuationKind} choices={ROUND.kinds} />
          <DecimalField label={ROUND.valuationAmount[kind]} {...form.field("valuation.amount")} />
        </div>
        {isAnyThere && (
          <ChoiceField
            form={form}
            name="valuation.convertibles"
            label={ROUND.convertibles}
            choices={kind === "PRE_MONEY" ? ROUND.convertiblesIn : others}
          />
        )}
      </Group>
      <Group title={ROUND.investors}>
        <Rows
          form={form}
          list="investors"
          label={ROUND.investor}
          add={ROUND.addInvestor}
          empty={{ who: "", amount: "" }}
          row={(name) => (
            <>
              <WhoField label={ROUND.investor} {...form.field(`${name}.who`)} />
              <DecimalField label={ROUND.amount} {...form.field(`${name}.amount`)} />
            </>
          )}
        />
      </Group>
      <Pool form={form} />
      {isAnyThere && <Conversion form={form} convertibles={convertibles} added={added} />}
      <ProRata form={form} />
      <Rights form={form} />
      <AddedInputs form={form} />
    </>
  );
}

function Pool({ form }: { readonly form: ModelForm }) {
  const plans = usePlans().data?.items ?? [];
  const how = form.values["pool.how"];
  const isTarget = how === "TARGET";
  const names = Object.fromEntries(plans.map(({ id, planName }) => [id, planName]));
  return (
    <Group title={ROUND.pool}>
      <div class="fields-2">
        <ChoiceField form={form} name="pool.how" label={ROUND.poolHow} choices={ROUND.poolHows} />
        {isTarget && <DecimalField label={ROUND.targetPercent} {...form.field("pool.targetPercent")} suffix="%" />}
        {how === "INCREASE" && <DecimalField label={ROUND.increase} {...form.field("pool.increase")} />}
        {isTarget && <ChoiceField form={form} name="pool.measure" label={ROUND.measure} choices={ROUND.measures} />}
        {how && <ChoiceField form={form} name="pool.position" label={ROUND.position} choices={ROUND.positions} />}
        {how && form.values["pool.measure"] === "AVAILABLE" && (
          <DecimalField label={ROUND.promised} {...form.field("pool.promised")} isOptional />
        )}
        {how && plans.length > 1 && (
          <ChoiceField
            form={form}
            name="pool.equityPlanId"
            label={ROUND.plan}
            choices={{ "": MODELS.name, ...names }}
          />
        )}
      </div>
    </Group>
  );
}

const nameOf = ({ certificateId, id }: Convertible) => certificateId ?? id;

function Conversion({ form, convertibles, added }: InputsProps) {
  return (
    <Group title={ROUND.conversion} isMore>
      {convertibles.map((each) => (
        <div key={each.id} class="fields-2">
          <ChoiceField
            form={form}
            name={HOW + each.id}
            label={ROUND.converts(nameOf(each))}
            choices={ROUND.convertsHow}
          />
          {isFavoured(each) && (
            <ChoiceField
              form={form}
              name={MFN + each.id}
              label={ROUND.mfn(nameOf(each))}
              choices={{
                "": ROUND.mfnBest,
                [OWN]: ROUND.mfnOwn,
                ...Object.fromEntries(
                  convertibles.filter((other) => !isFavoured(other)).map((other) => [other.id, nameOf(other)]),
                ),
              }}
            />
          )}
        </div>
      ))}
      {added.map(({ row, key }) => (
        <div key={row} class="fields-2">
          <ChoiceField form={form} name={`${row}.how`} label={ROUND.converts(key)} choices={ROUND.convertsHow} />
        </div>
      ))}
      <CheckField
        label={ROUND.shadowSeries}
        hint={ROUND.shadowHint}
        name="conversion.shadowSeries"
        isChecked={form.values["conversion.shadowSeries"] === "true"}
        onChange={(isOn) => form.set({ "conversion.shadowSeries": isOn ? "true" : "" })}
      />
    </Group>
  );
}

/** Whether it may take the terms of a later SAFE. */
function isFavoured({ convertibleTerms }: Convertible): boolean {
  const triggers = (convertibleTerms as { triggers?: readonly { mechanism: object }[] } | null)?.triggers ?? [];
  return triggers.some(({ mechanism }) => "mfn" in mechanism && mechanism.mfn === true);
}

function ProRata({ form }: { readonly form: ModelForm }) {
  const mode = form.values["proRata.mode"];
  return (
    <Group title={ROUND.proRata} isMore isOpen={Boolean(mode)}>
      <ChoiceField form={form} name="proRata.mode" label={ROUND.proRataMode} choices={ROUND.proRataModes} />
      {mode && (
        <Rows
          form={form}
          list="proRata.participants"
          label={MODELS.who}
          add={ROUND.addParticipant}
          empty={{ who: "", percent: "" }}
          row={(name) => (
            <>
              <WhoField label={MODELS.who} {...form.field(`${name}.who`)} />
              <DecimalField
                label={ROUND.percent}
                {...form.field(`${name}.percent`)}
                suffix="%"
                isOptional={mode === "WITHIN"}
                {...(mode === "WITHIN" ? { hint: ROUND.percentHint } : {})}
              />
            </>
          )}
        />
      )}
    </Group>
  );
}

function Rights({ form }: { readonly form: ModelForm }) {
  const { values } = form;
  const isOn = (name: string) => values[name] === "true";
  const check = (name: string, label: string) => (
    <CheckField
      label={label}
      name={name}
      isChecked={isOn(name)}
      onChange={(isChecked) => form.set({ [name]: isChecked ? "true" : "" })}
    />
  );
  const hasCap = isOn("newClass.isParticipating") && values["newClass.participationCapMultiple"] !== "";
  const hasDividend = values["newClass.dividendType"] !== "NONE";
  return (
    <Group title={ROUND.terms} isMore>
      <div class="fields-2">
        <DecimalField label={ROUND.preference} {...form.field("newClass.liquidationPreferenceMultiple")} isOptional />
        <TextField
          label={ROUND.seniority}
          hint={ROUND.seniorityHint}
          {...form.field("newClass.seniority")}
          inputMode="numeric"
          isOptional
        />
      </div>
      {check("shiftSeniority", ROUND.shift)}
      {check("newClass.isParticipating", ROUND.participating)}
      <div class="fields-2">
        {isOn("newClass.isParticipating") && (
          <DecimalField label={ROUND.cap} {...form.field("newClass.participationCapMultiple")} isOptional />
        )}
        {hasCap && (
          <ChoiceField
            form={form}
            name="newClass.participationCapBasis"
            label={ROUND.capBasis}
            choices={ROUND.capBases}
          />
        )}
        <ChoiceField
          form={form}
          name="newClass.antiDilution"
          label={ROUND.antiDilution}
          choices={ROUND.antiDilutions}
        />
        {values["newClass.antiDilution"] !== "NONE" && (
          <ChoiceField
            form={form}
            name="newClass.antiDilutionCounts"
            label={ROUND.antiDilutionCounts}
            choices={ROUND.antiDilutionCountings}
          />
        )}
        <ChoiceField form={form} name="newClass.dividendType" label={ROUND.dividends} choices={ROUND.dividendTypes} />
        {hasDividend && (
          <DecimalField label={ROUND.dividendRate} {...form.field("newClass.dividendRatePercent")} suffix="%" />
        )}
        {hasDividend && (
          <ChoiceField
            form={form}
            name="newClass.dividendCompounding"
            label={ROUND.dividendCompounding}
            choices={ROUND.dividendCompoundings}
          />
        )}
        <TextField label={ROUND.pricePlaces} {...form.field("pricePlaces")} inputMode="numeric" isOptional />
      </div>
    </Group>
  );
}
