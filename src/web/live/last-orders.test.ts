import { beforeEach, expect, it } from 'vitest'
import { money } from '#core/money/money.ts'
import { aUser } from '#test/support/web-fixtures.ts'
import { writeItem } from '#ui/state/browser-storage.ts'
import { findLastOrder, keepLastOrder } from '#web/live/last-orders.ts'
import { keepStake } from '#web/options/options.ts'
import { LAST_ORDERS, signIn, signOut } from '#web/session/session.ts'

const LAST = { settingId: 2, stake: money(7_550) }

beforeEach(() => {
  signOut()
  signIn({ token: 'T', user: aUser({ id: 'u1' }) })
  keepStake.choose('on')
})

it('a form recalls the last order of its own symbol', () => {
  keepLastOrder('BTC', { settingId: 1, stake: money(1_000) })
  keepLastOrder('BTC', LAST)
  keepLastOrder('ETH', { settingId: 3, stake: money(2_000) })
  expect(findLastOrder('BTC')).toEqual(LAST)
  expect(findLastOrder('DOGE')).toBeNull()
})

it('no order is stored or recalled while the option is off', () => {
  keepLastOrder('BTC', LAST)
  keepStake.choose('off')
  expect(findLastOrder('BTC')).toBeNull()
  keepLastOrder('ETH', LAST)
  keepStake.choose('on')
  expect(findLastOrder('ETH')).toBeNull()
})

it('another account on this device does not see the order', () => {
  keepLastOrder('BTC', LAST)
  signIn({ token: 'T2', user: aUser({ id: 'u2' }) })
  expect(findLastOrder('BTC')).toBeNull()
})

it('a log-out forgets all orders', () => {
  keepLastOrder('BTC', LAST)
  signOut()
  signIn({ token: 'T3', user: aUser({ id: 'u1' }) })
  expect(findLastOrder('BTC')).toBeNull()
})

it.each([
  ['no JSON', '{'],
  ['no list', '{"userId":"u1"}'],
  ['a stake of zero', JSON.stringify([{ userId: 'u1', symbol: 'BTC', settingId: 1, stake: '0.00' }])],
  ['a stake that is no amount', JSON.stringify([{ userId: 'u1', symbol: 'BTC', settingId: 1, stake: '1e309' }])],
  ['a duration that is no id', JSON.stringify([{ userId: 'u1', symbol: 'BTC', settingId: 1.5, stake: '10.00' }])],
])('stored orders with %s recall nothing', (_, text) => {
  writeItem('localStorage', LAST_ORDERS, text)
  expect(findLastOrder('BTC')).toBeNull()
})

it('the last orders of only 50 symbols are stored, and the oldest of them is dropped first', () => {
  for (let at = 0; at <= 50; at++) keepLastOrder(`S${at}`, LAST)
  expect(findLastOrder('S0')).toBeNull()
  expect(findLastOrder('S1')).toEqual(LAST)
})
