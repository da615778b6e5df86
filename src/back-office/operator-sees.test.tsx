import { readFileSync } from 'node:fs'
import { useState } from 'react'
import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useForm, useWatch } from 'react-hook-form'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { WithdrawalRow } from '#contract/back-office/withdrawals.ts'
import { staffCalls } from '#contract/back-office/staff-calls.ts'
import type { TermsPart } from '#core/markets/terms/terms-entry.ts'
import { formFlaws } from '#core/wallet/form-definition.ts'
import { scaledNumber } from '#back-office/forms/plain-number.ts'
import { amount, money, payment, price } from '#back-office/i18n/format.ts'
import { shortMoney } from '#back-office/pages/dashboard/short-money.ts'
import { FieldCards } from '#back-office/pages/gateways/field-cards.tsx'
import { bodyOf, fieldOf, type GatewayValues, NEW_FIELD, valuesOf } from '#back-office/pages/gateways/gateway-values.ts'
import { RatesInput } from '#back-office/pages/settings/rates-input.tsx'
import type { SettingValue } from '#back-office/pages/settings/settings-data.ts'
import { termsValue } from '#back-office/terms/terms-choice.ts'
import { RiskFlags } from '#back-office/pages/withdrawals/risk-flags.tsx'

afterEach(() => {
  vi.unstubAllGlobals()
  vi.resetModules()
  delete document.documentElement.dataset['themeUsual']
  delete document.documentElement.dataset['theme']
})

describe('F73: figures in the back office', () => {
  it.each([
    [amount(50_000), '50,000.00'],
    [price(50_000, 2), '50,000.00'],
    [price(1.0675, 5), '1.06750'],
    [price(null, 2), '–'],
    [money(-242.5), '−$242.50'],
    [payment(1_250.5, 'EUR'), '1,250.50 EUR'],
    [shortMoney(-242.5), '−$242.50'],
    [shortMoney(242), '$242'],
    [shortMoney(0), '$0'],
    [shortMoney(-1_234_567), '−$1.2M'],
  ])('F73: show %s as %s', (shown, expected) => expect(shown).toBe(expected))
})

it('F73: a new field of a form shows no error before the form is saved', async () => {
  function Editor() {
    const choice = { ...NEW_FIELD, label: 'Network', name: 'network', type: 'select' }
    const form = useForm<GatewayValues>({ defaultValues: { form: [choice] } })
    const flaws = formFlaws('deposit', useWatch({ control: form.control, name: 'form' }).map(fieldOf))
    return (
      <form onSubmit={(event) => void form.handleSubmit(() => undefined)(event)}>
        <FieldCards form={form} kind="deposit" flaws={flaws} />
        <button type="submit">Save</button>
      </form>
    )
  }
  render(<Editor />)
  const nothingToChoose = () => screen.queryByText('Add at least one choice.')
  expect(nothingToChoose()).toBeNull()
  const save = () => userEvent.click(screen.getByRole('button', { name: 'Save' }))
  await save()
  expect(nothingToChoose()).toBeTruthy()

  const isWrong = () => screen.getAllByLabelText('Label').map((label) => label.getAttribute('aria-invalid') === 'true')
  await userEvent.click(screen.getByRole('button', { name: 'Add a field' }))
  expect(isWrong()).toEqual([false, false])
  expect(nothingToChoose()).toBeTruthy()
  await save()
  expect(isWrong()).toEqual([false, true])
})

it.each([
  [true, 'dark'],
  [false, 'light'],
])('F73: the back office follows a device whose dark setting is %s', async (matches, theme) => {
  vi.stubGlobal('matchMedia', () => ({ matches, addEventListener: () => undefined }))
  vi.resetModules()
  const [, usual] = /data-theme-usual="(\w+)"/.exec(readFileSync('src/back-office/index.html', 'utf8')) ?? []
  document.documentElement.dataset['themeUsual'] = usual ?? ''
  const { toggleTheme } = await import('#ui/theme.ts')
  // The first toggle switches from the device's theme to the other one.
  toggleTheme()
  expect(document.documentElement.dataset['theme']).toBe(theme === 'dark' ? 'light' : 'dark')
  localStorage.clear()
})

it('F74: payment details that were only saved are not labelled as paid', () => {
  render(<RiskFlags row={{ state: 'requested', concerns: ['details_stand'] } as unknown as WithdrawalRow} />)
  expect(screen.getByText('Payment details changed since')).toBeTruthy()
  expect(screen.queryByText(/paid/i)).toBeNull()
})

describe('F67: numbers are read as staff type them', () => {
  const typed = { ...valuesOf(null), currency: 'usd', min_amount: '1,500.00', max_amount: '٢٠٠٠', sort: '1,000' }

  it('F67: a gateway accepts commas for thousands and Arabic digits', () => {
    const field = { ...NEW_FIELD, label: 'Note', name: 'note', max_length: '1,000' }
    expect(bodyOf('deposit', { ...typed, form: [field] })).toMatchObject({
      min_amount: '1500.00',
      max_amount: '2000.00',
      sort: 1_000,
      form: [{ max_length: 1_000 }],
    })
  })

  it('F67: the server accepts commas and spaces in the rate and the charge of a gateway, and refuses other texts', () => {
    const { rate, percent_charge: percent } = staffCalls.staffCreateGateway.body.shape
    expect([rate.parse('16,250.5'), percent.parse(' 1.25 ')]).toEqual([16_250_500_000n, 125n])
    expect(['1e3', '1,2,3', 'abc'].map((text) => rate.safeParse(text).success)).toEqual([false, false, false])
  })

  it.each<[what: TermsPart, typed: string, value: string | null]>([
    ['payout', '٨٥', '8500'],
    ['notice', '3,600', '3600000'],
    ['max_stake', '1,000', '100000'],
    ['payout', '1e1', null],
  ])('F67: in the terms: %s %s', (what, text, value) => {
    expect(termsValue({ what } as Parameters<typeof termsValue>[0], text)).toBe(value)
  })

  it('F67: the limit of an alert accepts commas, and a text that is not a number is sent unchanged, not as zero', () => {
    expect([scaledNumber('1,500', 100), scaledNumber('0.5', 100)]).toEqual([150_000, 50])
    expect(scaledNumber('1e3', 100)).toBe('1e3')
  })

  it('F67: a display rate accepts commas, and its field keeps the text as typed', async () => {
    const sent: unknown[] = []
    function Rates() {
      const [value, setValue] = useState<SettingValue>({ EUR: 0.92 })
      sent.push(value)
      return <RatesInput label="Rates" value={value} disabled={false} error={undefined} onChange={setValue} />
    }
    render(<Rates />)
    const field = screen.getByLabelText<HTMLInputElement>('IDR')
    for (const text of ['16,250.5', '1e3', '0']) {
      await userEvent.clear(field)
      await userEvent.type(field, text)
      expect(field.value).toBe(text)
      sent.push('then')
    }
    expect(sent.filter((_, at) => sent[at + 1] === 'then')).toEqual([
      { EUR: 0.92, IDR: 16_250.5 },
      { EUR: 0.92, IDR: '1e3' },
      { EUR: 0.92 },
    ])
  })
})
