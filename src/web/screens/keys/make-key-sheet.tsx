import { useId, useState } from 'react'
import { DEFAULT_KEY_DAYS, KEY_DAYS, type KeyScope, MAX_KEY_NAME, isKeyOpenOrders } from '#core/accounts/api-keys.ts'
import { moneyText } from '#core/money/money.ts'
import { AmountField } from '#ui/amount-field.tsx'
import { Button } from '#ui/button.tsx'
import { Checkbox } from '#ui/checkbox.tsx'
import { Field } from '#ui/field.tsx'
import { Select } from '#ui/select.tsx'
import { Sheet } from '#ui/sheet.tsx'
import { call, type Reply } from '#web/api/call.ts'
import { FormFailure } from '#web/forms/form-failure.tsx'
import { amountProblem, readTyped } from '#web/forms/typed-amount.ts'
import { type Form, useForm } from '#web/forms/use-form.ts'
import { t } from '#web/i18n/t.ts'

const STEPS = ['keys.step_may', 'keys.step_where', 'keys.step_prove'] as const
const EMPTY = {
  name: '',
  scope: 'read',
  stake: '',
  stakeDay: '',
  open: '',
  days: String(DEFAULT_KEY_DAYS),
  addresses: '',
  anywhere: '',
}
type KeyForm = Form<keyof typeof EMPTY>
/** The fields of the first two steps. The third step sends them all to the server. */
const FIELDS = [
  ['name', 'scope', 'stake', 'stakeDay', 'open'],
  ['days', 'addresses', 'anywhere'],
] as const

interface MakeKeySheetProps {
  canTrade: boolean
  onClose: () => void
  /** Called with the key, which is not shown again. */
  onMade: (text: string) => void
}

/** Creates an API key in three steps. The server then asks the user to confirm their identity in a separate dialog. */
export function MakeKeySheet({ canTrade, onClose, onMade }: MakeKeySheetProps) {
  const [step, setStep] = useState(0)
  const form = useForm({
    initial: EMPTY,
    validate: (values) => problemsOf(values),
    submit: async (values) => onMade(await make(values)),
  })
  const problems = problemsOf(form.values)
  const isReady = !(FIELDS[step] ?? []).some((name) => problems[name] !== undefined)
  const isLast = step === STEPS.length - 1
  return (
    <Sheet
      open
      onClose={onClose}
      title={t('keys.make')}
      subtitle={t(STEPS[step] ?? STEPS[0])}
      closeLabel={t('common.close')}
    >
      <form
        noValidate
        className="flex flex-col gap-3"
        onSubmit={(event) => {
          if (isLast) return form.onSubmit(event)
          event.preventDefault()
          if (isReady) setStep(step + 1)
        }}
      >
        <FormFailure messages={form.failure} />
        {step === 0 && <WhatStep form={form} canTrade={canTrade} />}
        {step === 1 && <WhereStep form={form} />}
        {isLast && <p className="text-fg-2">{t('keys.prove_hint')}</p>}
        <Button type="submit" loading={form.busy} disabled={!isReady}>
          {isLast ? t('keys.make') : t('keys.next')}
        </Button>
        {step > 0 && (
          <Button variant="secondary" onClick={() => setStep(step - 1)}>
            {t('common.back')}
          </Button>
        )}
      </form>
    </Sheet>
  )
}

function WhatStep({ form, canTrade }: { form: KeyForm; canTrade: boolean }) {
  const id = useId()
  const caps = [
    ['stake', 'keys.cap_stake'],
    ['stakeDay', 'keys.cap_day'],
  ] as const
  return (
    <>
      <Field {...form.field('name')} label={t('keys.name')} maxLength={MAX_KEY_NAME} dir="auto" autoComplete="off" />
      <fieldset className="flex flex-col">
        <legend className="sr-only">{t('keys.step_may')}</legend>
        {(['read', 'trade'] as const).map((scope) => (
          <div key={scope} className="flex min-h-12 items-center gap-3 text-small">
            <input
              type="radio"
              name="scope"
              id={`${id}-${scope}`}
              className="size-5 shrink-0 accent-brand"
              checked={form.values.scope === scope}
              disabled={scope === 'trade' && !canTrade}
              onChange={() => form.set('scope', scope)}
            />
            <label htmlFor={`${id}-${scope}`} className="flex-1 py-1">
              <span className="block font-semibold">{t(`keys.${scope}`)}</span>
              <span className="block text-label text-fg-2">{t(`keys.${scope}_hint`)}</span>
            </label>
          </div>
        ))}
      </fieldset>
      {!canTrade && <p className="text-small text-fg-2">{t('keys.live_note')}</p>}
      {form.values.scope === 'trade' && (
        <>
          <h3 className="font-list">{t('keys.caps')}</h3>
          {caps.map(([name, label]) => (
            <AmountField
              key={name}
              label={t(label)}
              value={form.values[name]}
              onChange={(value) => form.set(name, value)}
              onBlur={form.field(name).onBlur}
              error={form.errorOf(name)}
            />
          ))}
          <Field {...form.field('open')} label={t('keys.cap_open')} inputMode="numeric" autoComplete="off" ltr />
        </>
      )}
    </>
  )
}

function WhereStep({ form }: { form: KeyForm }) {
  return (
    <>
      <Select
        label={t('keys.days')}
        value={form.values.days}
        options={KEY_DAYS.map((days) => ({ value: String(days), label: String(days) }))}
        onChange={(days) => form.set('days', days)}
      />
      <Field
        {...form.field('addresses')}
        label={t('keys.addresses')}
        hint={t('keys.addresses_hint')}
        autoComplete="off"
        spellCheck={false}
        ltr
      />
      {needsTick(form.values) && (
        <Checkbox
          checked={form.values.anywhere !== ''}
          onChange={(event) => form.set('anywhere', event.target.checked ? 'yes' : '')}
        >
          {t('keys.anywhere')}
        </Checkbox>
      )}
    </>
  )
}

type Values = Readonly<Record<keyof typeof EMPTY, string>>

/** A key that trades without a list of addresses works for everyone who has it. */
function needsTick({ scope, addresses }: Values): boolean {
  return scope === 'trade' && listed(addresses).length === 0
}

function problemsOf(values: Values): Partial<Record<keyof typeof EMPTY, string>> {
  const { name, scope, stake, stakeDay, open } = values
  const problems: Partial<Record<keyof typeof EMPTY, string>> = {}
  if (name.trim() === '') problems.name = t('common.required', { name: t('keys.name') })
  if (needsTick(values) && values.anywhere === '') problems.anywhere = t('refusal.key_anywhere_unconfirmed')
  if (scope !== 'trade') return problems
  const stakeProblem = capProblem(stake, t('keys.cap_stake'))
  const dayProblem = capProblem(stakeDay, t('keys.cap_day'))
  if (stakeProblem !== undefined) problems.stake = stakeProblem
  if (dayProblem !== undefined) problems.stakeDay = dayProblem
  if (open !== '' && !(/^[1-9]\d*$/.test(open) && isKeyOpenOrders(Number(open))))
    problems.open = t('refusal.key_open_orders_invalid')
  return problems
}

/** Returns the problem of an optional limit. The field accepts no minus sign. */
function capProblem(typed: string, name: string): string | undefined {
  if (typed === '') return undefined
  const read = readTyped(typed)
  return read.ok && read.amount === 0n ? t('refusal.amount_not_positive') : amountProblem(typed, name)
}

function listed(addresses: string): string[] {
  return addresses.split(/[\s,]+/).filter((one) => one !== '')
}

function capOf(typed: string): string | null {
  const read = readTyped(typed)
  return read.ok ? moneyText(read.amount) : null
}

async function make(values: Values): Promise<Reply<'POST /user/keys'>['secret']> {
  const scope: KeyScope = values.scope === 'trade' ? 'trade' : 'read'
  const caps =
    scope === 'read'
      ? {}
      : {
          max_stake: capOf(values.stake),
          max_stake_day: capOf(values.stakeDay),
          max_open_orders: values.open === '' ? null : Number(values.open),
        }
  const { data } = await call('POST /user/keys', {
    body: {
      name: values.name.trim(),
      scope,
      days: KEY_DAYS.find((days) => String(days) === values.days) ?? DEFAULT_KEY_DAYS,
      addresses: listed(values.addresses),
      anywhere: values.anywhere !== '',
      ...caps,
    },
  })
  return data.secret
}
