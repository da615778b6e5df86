import { act, render, screen } from '@testing-library/react'
import { afterEach, expect, it } from 'vitest'
import { aUser } from '#test/support/web-fixtures.ts'
import type { OrderResult } from '#web/live/result-store.ts'
import { resultPath, resultText } from '#web/toasts/result-text.ts'
import { keepUnseen, markSeen } from '#web/live/unseen-results.ts'
import { UnseenRow } from '#web/screens/trade/unseen-row.tsx'
import { signIn, signOut } from '#web/session/session.ts'

const WON: OrderResult = {
  id: 'o1',
  trx: 'FW1',
  clientOrderId: 'c1',
  crypto: { name: 'Euro / US Dollar', symbol: 'EURUSD', market_type: 'us_fx' },
  high_low: 1,
  price_was: 1.1,
  post_trade_price: 1.2,
  amount: 100,
  result: 1,
  result_amount: 80,
  user_balance: 1_080,
  account: 'live',
}

afterEach(() => act(signOut))

it('F36: a result shows the display name of its symbol', () => {
  expect(resultText(WON)).toBe('EUR/USD order won: +$80.00')
  expect(resultText({ ...WON, result: 2, result_amount: -100 })).toContain('EUR/USD')
  expect(resultText({ ...WON, result: 3, void_reason: 'no_tick_before_expiry' })).toContain('EUR/USD')
})

it('F20: a result links to its own panel', () => {
  expect(resultPath(WON)).toBe('/trade/EURUSD?result=FW1')
})

it('F21: a result stays in its row until it is opened, also after a reload', () => {
  signIn({ token: 't', user: aUser() })
  render(<UnseenRow />)
  expect(screen.queryByRole('link')).toBeNull()
  act(() => keepUnseen(WON))
  act(() => keepUnseen({ ...WON, id: 'o2', trx: 'FW2', result: 2, result_amount: -100 }))
  const row = screen.getByRole('link', { name: /^Show the result/ })
  expect(row.getAttribute('href')).toBe('/trade/EURUSD?result=FW2')
  expect(row.textContent).toContain('+1')
  const stored = JSON.parse(localStorage.getItem('unseen_results') ?? '[]') as { result: OrderResult }[]
  expect(stored.map(({ result }) => result.id)).toEqual(['o2', 'o1'])
  act(() => markSeen('o2'))
  expect(screen.getByRole('link').getAttribute('href')).toBe('/trade/EURUSD?result=FW1')
  act(() => markSeen('o1'))
  expect(screen.queryByRole('link')).toBeNull()
})

it('F21: the next user of the browser does not see the result', () => {
  signIn({ token: 't', user: aUser() })
  act(() => keepUnseen(WON))
  act(signOut)
  signIn({ token: 'u', user: aUser({ id: 'user-2' }) })
  render(<UnseenRow />)
  expect(screen.queryByRole('link')).toBeNull()
  expect(localStorage.getItem('unseen_results')).toBeNull()
})
