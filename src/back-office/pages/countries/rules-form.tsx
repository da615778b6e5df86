import { useState } from 'react'
import type { CountryRuleRow } from '#contract/back-office/countries.ts'
import { staffCalls } from '#contract/back-office/staff-calls.ts'
import { PLACE_ACTIONS, PLACE_VERDICTS } from '#core/accounts/country-rules.ts'
import { Alert } from '#ui/alert.tsx'
import { Button } from '#ui/button.tsx'
import { Field } from '#ui/field.tsx'
import { Segmented } from '#ui/segmented.tsx'
import { useToast } from '#ui/toast.tsx'
import { failureText } from '#back-office/api/call-staff.ts'
import { useStaffChange } from '#back-office/api/queries.ts'
import { ChangedMeanwhile } from '#back-office/forms/changed-meanwhile.tsx'
import { t } from '#back-office/i18n/t.ts'
import { FilterSelect } from '#back-office/list/filter-select.tsx'
import type { CountriesState } from '#back-office/pages/countries/countries-state.ts'

const VERDICTS = PLACE_VERDICTS.map((value) => ({ value, label: t(`countries.${value}`) }))

interface RulesFormProps {
  state: CountriesState
  onSaved: () => void
  /** Replaces the edited rules with the rules in force. */
  onLoadAgain: () => void
}

/** The rules of all countries as one form, because two people decide them together. */
export function RulesForm({ state: stored, onSaved, onLoadAgain }: RulesFormProps) {
  const toast = useToast()
  // The rules when the edit begins. A refetch must not change the version that is sent with the edited rules.
  const [state] = useState(stored)
  const [rules, setRules] = useState<readonly CountryRuleRow[]>(state.rules)
  const [unknown, setUnknown] = useState(state.unknown_address)
  const [reason, setReason] = useState('')
  const save = useStaffChange(staffCalls.staffSaveCountries, {
    onDone: ({ pending }) => {
      // A change that waits for approval is not in force, so the form shows the rules in force again.
      onSaved()
      toast({ tone: 'success', text: t(pending === null ? 'countries.saved' : 'countries.waits') })
    },
  })
  const listed = new Set(rules.map(({ country }) => country))
  const free = state.countries.filter(({ code }) => !listed.has(code))
  const replace = (country: string, part: Partial<CountryRuleRow>) =>
    setRules(rules.map((rule) => (rule.country === country ? { ...rule, ...part } : rule)))
  const add = (country: string) =>
    setRules([...rules, { country, sign_up: 'refuse', deposit: 'refuse', trade: 'refuse', note: '' }])
  return (
    <form
      aria-labelledby="rules"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        const body = { rules: [...rules], unknown_address: unknown, reason, version: state.version }
        save.mutate({ body })
      }}
      className="card flex min-w-0 flex-col gap-4 p-5"
    >
      <h2 id="rules" className="text-heading font-semibold">
        {t('countries.rules')}
      </h2>
      <ChangedMeanwhile isOld={stored.version !== state.version} reload={onLoadAgain} />
      {rules.length === 0 && <p className="text-fg-2">{t('countries.none')}</p>}
      <ul className="flex flex-col gap-4">
        {rules.map((rule) => (
          <RuleRow
            key={rule.country}
            rule={rule}
            country={state.countries.find(({ code }) => code === rule.country)}
            onChange={(part) => replace(rule.country, part)}
            onRemove={() => setRules(rules.filter(({ country }) => country !== rule.country))}
          />
        ))}
      </ul>
      <div>
        <FilterSelect
          label={t('countries.add')}
          value=""
          options={[{ value: '', label: '–' }, ...free.map(({ code, name }) => ({ value: code, label: name }))]}
          onChange={(code) => code !== '' && add(code)}
        />
      </div>
      <div>
        <p className="pb-1 text-fg-2">{t('countries.unknown')}</p>
        <Segmented label={t('countries.unknown')} options={VERDICTS} value={unknown} onChange={setUnknown} compact />
      </div>
      {save.isError && <Alert tone="danger">{failureText(save.error)}</Alert>}
      <Field
        label={t('countries.reason')}
        maxLength={300}
        value={reason}
        onChange={(event) => setReason(event.target.value)}
      />
      <Button type="submit" size="m" loading={save.isPending}>
        {t('countries.save')}
      </Button>
    </form>
  )
}

interface RuleRowProps {
  rule: CountryRuleRow
  country: CountriesState['countries'][number] | undefined
  onChange: (part: Partial<CountryRuleRow>) => void
  onRemove: () => void
}

function RuleRow({ rule, country, onChange, onRemove }: RuleRowProps) {
  const name = country?.name ?? rule.country
  return (
    <li className="flex flex-col gap-2 border-t border-line pt-3">
      <div className="flex items-center justify-between gap-3">
        <h3 className="min-w-0 font-semibold">
          {name}{' '}
          <span className="font-list text-caption text-fg-3">{`${t('countries.users')}: ${country?.users ?? 0}`}</span>
        </h3>
        <Button size="s" variant="secondary" aria-label={t('countries.remove_of', { name })} onClick={onRemove}>
          {t('countries.remove')}
        </Button>
      </div>
      <div className="grid gap-3 md:grid-cols-3">
        {PLACE_ACTIONS.map((action) => (
          <div key={action}>
            <p className="pb-1 text-caption text-fg-3">{t(`countries.${action}`)}</p>
            <Segmented
              label={t('countries.may_of', { action: t(`countries.${action}`), name })}
              options={VERDICTS}
              value={rule[action]}
              onChange={(verdict) => onChange({ [action]: verdict })}
              compact
            />
          </div>
        ))}
      </div>
      <Field
        label={t('countries.note')}
        maxLength={120}
        value={rule.note}
        onChange={(event) => onChange({ note: event.target.value })}
      />
    </li>
  )
}
