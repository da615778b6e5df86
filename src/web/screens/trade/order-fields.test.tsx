import { act, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { expect, test, vi } from 'vitest'
import type { MarketList } from '#contract/markets.ts'
import { money } from '#core/money/money.ts'
import { SELL } from '#core/orders/order.ts'
import { balanceShares } from '#web/options/options.ts'
import type { Room } from '#web/limits/limit-text.ts'
import { OrderFields } from '#web/screens/trade/order-fields.tsx'
import { type OrderFacts, type OrderForm, readOrderForm, startForm } from '#web/screens/trade/order-form.ts'

const HOURS = { opens_at: null, closes_at: null, reason: null }
const LIST: MarketList = {
  trade_settings: [
    { id: 1, time: 60, unit: 'minute', min_amount: 10, max_amount: 500, profit_percentage: 80, changes: [] },
    { id: 2, time: 300, unit: 'minute', min_amount: 20, max_amount: 500, profit_percentage: 85, changes: [] },
  ],
  prices: [{ amount: 20 }, { amount: 100 }],
  trading_profit: 85,
  currencies: [],
  market_status: { crypto: true, us_stocks: true, us_fx: true },
  market_hours: { crypto: HOURS, us_stocks: HOURS, us_fx: HOURS },
  trade_status: 1,
  trade_reason: '',
  image_path: '',
}

test('choosing an expiry sets the minimum; the submit button repeats the order', async () => {
  const { user, submitted } = draw()
  const submit = screen.getByRole('button', { name: /^Sell/ })
  expect(submit).toHaveProperty('disabled', true)
  await user.click(screen.getByRole('radio', { name: /5 min/ }))
  expect(stake().value).toBe('20.00')
  await user.click(screen.getByRole('radio', { name: '$100' }))
  expect(submit.textContent).toBe('Sell · $100.00 · 5 min')
  expect(screen.getByText('+$85.00')).toBeDefined()
  expect(screen.getByText('54.1%')).toBeDefined()
  await user.click(submit)
  expect(submitted()).toBe(1)
})

test('an insufficient balance shows immediately and blocks sending by Enter', async () => {
  const { user, submitted } = draw({ balance: money(5_000) })
  await user.click(screen.getByRole('radio', { name: /1 min/ }))
  await user.clear(stake())
  await user.type(stake(), '50.01{Enter}')
  expect(screen.getByText('insufficient balance')).toBeDefined()
  expect(submitted()).toBe(0)
  await user.clear(stake())
  await user.type(stake(), '50{Enter}')
  expect(submitted()).toBe(1)
})

test.each([
  ['', 'Enter an amount'],
  ['0', 'Enter an amount'],
  ['9.99', 'Minimum amount is $10.00'],
  ['500.01', 'Maximum amount is $500.00'],
  ['1,000.01', 'insufficient balance'],
  ['0,125', 'Unclear amount. Write it without separators, such as 1250 or 12.50'],
  ['12.345', 'At most 2 decimals in USDT. Nearest: 12.34 / 12.35'],
  // F3: the nearest amounts would be refused too, so the message names the minimum.
  ['0.004', 'Minimum amount is $10.00'],
  ['9.994', 'At most 2 decimals in USDT. Nearest: 9.99 / 10.00'],
  // F3: a pasted text that is no amount stays, and a message says what is wrong.
  ['+25', 'Unclear amount. Write it without separators, such as 1250 or 12.50'],
  ['-25', 'Unclear amount. Write it without separators, such as 1250 or 12.50'],
  ['1_000', 'Unclear amount. Write it without separators, such as 1250 or 12.50'],
])('F12: %j in the stake field shows its error beside the field immediately', async (typed, reason) => {
  const { user } = draw()
  await user.click(screen.getByRole('radio', { name: /1 min/ }))
  await user.clear(stake())
  if (typed !== '') await user.paste(typed)
  const described = (stake().getAttribute('aria-describedby') ?? '').split(' ')
  expect(described.map((id) => document.querySelector(`[id="${id}"]`)?.textContent)).toContain(reason)
  expect(stake().getAttribute('aria-invalid')).toBe('true')
  expect(screen.getByRole('button', { name: /^Sell/ }).textContent).not.toContain('$0.00')
})

test('F72: an own limit below the smallest stake says that no order is possible', async () => {
  const room = { left: money(1), name: 'Largest stake', freesAt: null }
  const { user } = draw({ ownRoom: room.left, room })
  await user.click(screen.getByRole('radio', { name: /1 min/ }))
  expect(screen.getByText('Largest stake: This limit allows no order: the smallest stake is $10.00.')).toBeTruthy()
})

test('F12: quick amounts above the balance are disabled', () => {
  draw({ balance: money(5_000) })
  expect(screen.getByRole('radio', { name: '$20' })).toHaveProperty('disabled', false)
  expect(screen.getByRole('radio', { name: '$100' })).toHaveProperty('disabled', true)
})

test('shares of the balance are offered only if the user turned them on, with their amounts and limits', async () => {
  const { user } = draw({ balance: money(100_000) })
  expect(screen.queryByRole('radiogroup', { name: 'Shares of the balance' })).toBeNull()
  act(() => balanceShares.choose('on'))
  await user.click(screen.getByRole('radio', { name: /1 min/ }))
  const share = (name: RegExp) => screen.getByRole('radio', { name })
  expect(share(/^2%/).closest('label')?.textContent).toBe('2%$20.00')
  await user.click(share(/^5%/))
  expect(stake().value).toBe('50.00')
  expect(share(/^5%/)).toHaveProperty('checked', true)
  await user.click(screen.getByRole('radio', { name: /5 min/ }))
  expect(share(/^1%.*too small/)).toHaveProperty('disabled', true)
  act(() => balanceShares.choose('off'))
})

test('a share above the maximum is capped, with its reason', async () => {
  act(() => balanceShares.choose('on'))
  const { user } = draw({ balance: money(1_000_000_000) })
  await user.click(screen.getByRole('radio', { name: /1 min/ }))
  await user.click(screen.getByRole('radio', { name: /^10%/ }))
  expect(stake().value).toBe('500.00')
  expect(screen.getByRole('radio', { name: /^10%/ })).toHaveProperty('checked', true)
  expect(screen.getByText(/^10% of your balance is above the maximum/)).toBeDefined()
  act(() => balanceShares.choose('off'))
})

test('the form shows every announced change of the chosen duration', async () => {
  const at = Date.UTC(2026, 10, 27, 14)
  const changes: MarketList['trade_settings'][number]['changes'] = [
    { what: 'payout', value: '8050', applies_at: at },
    { what: 'min_stake', value: '2000', applies_at: at },
    { what: 'max_stake', value: '30000', applies_at: at },
    { what: 'duration', value: 'withdrawn', applies_at: at },
    { what: 'duration', value: 'open', applies_at: at + 3_600_000 },
  ]
  const [first, second] = LIST.trade_settings
  if (!first || !second) throw new Error('there are two')
  const { user } = draw({ settings: [first, { ...second, changes }] })
  expect(screen.queryByText(/Payout changes/)).toBeNull()
  await user.click(screen.getByRole('radio', { name: /5 min/ }))
  const notices = screen.getByText(/Payout changes/).parentElement
  expect(Array.from(notices?.children ?? [], (line) => line.textContent?.replaceAll(/[\u2066-\u2069]/g, ''))).toEqual([
    'Payout changes to 80.5% at Fri 14:00 UTC',
    'Minimum stake changes to $20.00 at Fri 14:00 UTC',
    'Maximum stake changes to $300.00 at Fri 14:00 UTC',
    'No longer offered from Fri 14:00 UTC',
    'Offered again from Fri 15:00 UTC',
  ])
})

test('F24: an insufficient balance shows a link to deposit beside the message', async () => {
  const { user } = draw({ balance: money(0) })
  expect(screen.queryByRole('link', { name: 'Deposit' })).toBeNull()
  await user.click(screen.getByRole('radio', { name: /1 min/ }))
  expect(screen.getByText('insufficient balance')).toBeDefined()
  expect(screen.getByRole('link', { name: 'Deposit' }).getAttribute('href')).toBe('/deposit')
})

test('an expiry after the close is disabled and shows why', () => {
  draw({ closesAt: 200_000 })
  expect(screen.getByRole('radio', { name: /5 min/ })).toHaveProperty('disabled', true)
  expect(screen.getByText('closes first')).toBeDefined()
  expect(screen.getByRole('radio', { name: /1 min/ })).toHaveProperty('disabled', false)
})

test("FA5: a refusal shows the server's message above the form", () => {
  draw({}, 'The price has moved, please try again')
  expect(screen.getByRole('alert').textContent).toContain('The price has moved, please try again')
})

test('a press opens the explanation of break-even', async () => {
  const { user } = draw()
  await user.click(screen.getByRole('radio', { name: /5 min/ }))
  await user.click(screen.getByRole('button', { name: 'What break-even means' }))
  expect(screen.getByText('You break even when 54.1% of such orders win.')).toBeDefined()
})

test('A24: a lost connection blocks sending, and the form shows why', async () => {
  const { user, submitted } = draw({ isConnected: false })
  await user.click(screen.getByRole('radio', { name: /1 min/ }))
  expect(screen.getByText('No connection').parentElement?.textContent).toBe(
    'No connection You can trade again once you are connected.',
  )
  expect(screen.getByRole('button', { name: /^Sell/ })).toHaveProperty('disabled', true)
  await user.type(stake(), '{Enter}')
  expect(submitted()).toBe(0)
})

test('A23: an order that waits for the connection can be cancelled, and shows its remaining validity', async () => {
  const cancelled = vi.fn<() => void>()
  const { user } = draw({ isSubmitting: true }, null, cancelled)
  expect(
    screen.getByText('Waiting for the connection. If it does not return within 3 seconds, your order is dropped.'),
  ).toBeDefined()
  await user.click(screen.getByRole('button', { name: 'Cancel' }))
  expect(cancelled).toHaveBeenCalledOnce()
})

test('A23: Cancel is shown only while an order waits to be sent', () => {
  draw({ isSubmitting: true })
  expect(screen.queryByRole('button', { name: 'Cancel' })).toBeNull()
})

test('the form says that missing prices void an order when the provider has no public history of its trades', () => {
  draw({}, null, null, false)
  expect(screen.getByText('This provider keeps no public record; a gap makes the order void.')).toBeTruthy()
})

function stake(): HTMLInputElement {
  return screen.getByLabelText('Stake')
}

function draw(
  { room = null, ...change }: Partial<OrderFacts> & { room?: Room | null } = {},
  error: string | null = null,
  onCancel: (() => void) | null = null,
  hasRecord = true,
) {
  let count = 0
  const facts: OrderFacts = {
    settings: LIST.trade_settings,
    balance: money(100_000),
    isOpen: true,
    closesAt: null,
    now: 0,
    isAllowed: true,
    isConnected: true,
    isSubmitting: false,
    ...change,
  }
  function Owner() {
    const [form, setForm] = useState<OrderForm>(() => startForm(SELL))
    return (
      <OrderFields
        form={form}
        view={readOrderForm(form, facts)}
        list={{ ...LIST, trade_settings: [...facts.settings] }}
        balance={facts.balance}
        error={error}
        isSubmitting={facts.isSubmitting}
        isUnknown={false}
        isOffline={!facts.isConnected}
        hasRecord={hasRecord}
        room={room}
        onCancel={onCancel}
        onChange={setForm}
        onSubmit={() => count++}
      />
    )
  }
  render(<Owner />)
  return { user: userEvent.setup(), submitted: () => count }
}
