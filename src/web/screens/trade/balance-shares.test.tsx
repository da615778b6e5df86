import { act, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { expect, test } from 'vitest'
import type { TradeSettingOut } from '#contract/markets.ts'
import { type Money, money } from '#core/money/money.ts'
import { BalanceShares } from '#web/screens/trade/balance-shares.tsx'
import { moneyOf } from '#web/i18n/amounts.ts'

const SETTING: TradeSettingOut = {
  id: 1,
  time: 60,
  unit: 'minute',
  min_amount: 10,
  max_amount: 5_000,
  profit_percentage: 80,
  changes: [],
}

test('the shares follow the balance, and a press fills in the amount that is shown', async () => {
  const { filled, setBalance } = draw(money(100_000))
  setBalance(money(1_100_000))
  expect(shares()).toEqual(['1%$110.00', '2%$220.00', '5%$550.00', '10%$1,100.00'])
  await userEvent.click(share(/^10%/))
  expect(filled()).toBe('1100.00')
})

test('shares that were too small can be chosen after a deposit', () => {
  const { setBalance } = draw(money(5_000))
  expect(share(/^10%/)).toHaveProperty('disabled', true)
  setBalance(money(505_000))
  expect(share(/^10%/)).toHaveProperty('disabled', false)
})

test('a stake is no longer marked as a share of a balance that has changed', async () => {
  const { setBalance } = draw(money(100_000))
  await userEvent.click(share(/^10%/))
  expect(share(/^10%/)).toHaveProperty('checked', true)
  await userEvent.click(document.body)
  setBalance(money(50_000))
  expect(screen.queryAllByRole('radio', { checked: true })).toEqual([])
})

test('the amounts do not change while one of them has the keyboard focus, and a press fills in the shown amount', async () => {
  const { filled, setBalance } = draw(money(100_000))
  act(() => share(/^5%/).focus())
  setBalance(money(400_000))
  expect(shares()[2]).toBe('5%$50.00')
  await userEvent.keyboard(' ')
  expect(filled()).toBe('50.00')
  act(() => share(/^5%/).blur())
  expect(shares()[2]).toBe('5%$200.00')
})

function share(name: RegExp): HTMLElement {
  return screen.getByRole('radio', { name })
}

function shares(): (string | undefined)[] {
  return screen.getAllByRole('radio').map((radio) => radio.closest('label')?.textContent ?? undefined)
}

/** Draws the shares of a balance that the test can change. */
function draw(balance: Money) {
  const filled: string[] = []
  function Owner({ current }: { current: Money }) {
    const [typed, setTyped] = useState('')
    return (
      <BalanceShares
        balance={current}
        setting={SETTING}
        stake={typed === '' ? null : moneyOf(Number(typed))}
        isDisabled={false}
        onChange={(amount) => {
          filled.push(amount)
          setTyped(amount)
        }}
      />
    )
  }
  const { rerender } = render(<Owner current={balance} />)
  return { filled: () => filled.at(-1), setBalance: (next: Money) => rerender(<Owner current={next} />) }
}
