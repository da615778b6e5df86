import { readFileSync } from 'node:fs'
import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useForm, useWatch } from 'react-hook-form'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { WithdrawalRow } from '#contract/back-office/withdrawals.ts'
import { formFlaws } from '#core/wallet/form-definition.ts'
import { amount, money, payment, price } from '#back-office/i18n/format.ts'
import { shortMoney } from '#back-office/pages/dashboard/short-money.ts'
import { FieldCards } from '#back-office/pages/gateways/field-cards.tsx'
import { fieldOf, type GatewayValues, NEW_FIELD } from '#back-office/pages/gateways/gateway-values.ts'
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
