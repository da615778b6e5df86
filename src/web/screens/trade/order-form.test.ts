import type { TradeSettingOut } from '#contract/markets.ts'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { money, parseMoney } from '#core/money/money.ts'
import { BUY, SELL } from '#core/orders/order.ts'
import {
  balanceShares,
  breakEvenOf,
  chooseExpiry,
  type OrderFacts,
  type OrderForm,
  readOrderForm,
  recallOrder,
  repeatOrder,
  startForm,
  withFirstExpiry,
} from '#web/screens/trade/order-form.ts'

const MINUTE: TradeSettingOut = {
  id: 1,
  time: 60,
  unit: 'minute',
  min_amount: 10,
  max_amount: 500,
  profit_percentage: 80,
  changes: [],
}
const HOUR: TradeSettingOut = {
  id: 2,
  time: 3_600,
  unit: 'hour',
  min_amount: 20,
  max_amount: 1_000,
  profit_percentage: 85.5,
  changes: [],
}

const FACTS: OrderFacts = {
  settings: [MINUTE, HOUR],
  balance: money(100_000),
  isOpen: true,
  closesAt: null,
  now: 1_000_000,
  isAllowed: true,
  isConnected: true,
  isSubmitting: false,
}
const FORM: OrderForm = { direction: BUY, settingId: 1, amount: '100.00' }

test.each<[string, Partial<OrderForm>, Partial<OrderFacts>, string | null, boolean]>([
  ['a full form', {}, {}, null, true],
  ['the minimum itself', { amount: '10' }, {}, null, true],
  ['a point still without digits', { amount: '12.' }, {}, null, true],
  ['no expiry', { settingId: null }, {}, null, false],
  ['an expiry that is gone', { settingId: 9 }, {}, null, false],
  ['no amount', { amount: '' }, {}, 'missing', false],
  ['only a point', { amount: '.' }, {}, 'missing', false],
  ['nothing', { amount: '0.00' }, {}, 'missing', false],
  ['F3: a comma that groups nothing', { amount: '0,125' }, {}, 'unreadable', false],
  ['F3: more than thousands after a comma', { amount: '12,3456' }, {}, 'unreadable', false],
  ['F3: several commas', { amount: '1,2,3' }, {}, 'unreadable', false],
  ['F3: a third decimal', { amount: '12.345' }, {}, 'unreadable', false],
  ['F3: thousands', { amount: '1,000', settingId: 2 }, {}, null, true],
  ['F4: digits of another script', { amount: '٢٥' }, {}, null, true],
  ['a cent too little', { amount: '9.99' }, {}, 'below_minimum', false],
  ['too much for the expiry', { amount: '500.01' }, {}, 'above_maximum', false],
  ['more than there is', { amount: '1000.01' }, {}, 'insufficient', false],
  ['all there is', { amount: '50' }, { balance: money(5_000) }, null, true],
  ['while sending', {}, { isSubmitting: true }, null, false],
  ['a closed market', {}, { isOpen: false }, null, false],
  ['a user who may not', {}, { isAllowed: false }, null, false],
  ['an order past the close', { settingId: 2 }, { closesAt: 1_000_000 + 3_599_000 }, null, false],
  ['an order until the close', { settingId: 2 }, { closesAt: 1_000_000 + 3_600_000 }, null, true],
])('VA17, VA19: %s', (_, form, facts, problem, maySubmit) => {
  const view = readOrderForm({ ...FORM, ...form }, { ...FACTS, ...facts })
  expect({ problem: view.problem, maySubmit: view.maySubmit }).toEqual({ problem, maySubmit })
})

test('a win adds the payout on the stake, rounded half to even', () => {
  expect(readOrderForm(FORM, FACTS).profit).toBe(8_000n)
  expect(readOrderForm({ ...FORM, settingId: 2, amount: '20.10' }, FACTS).profit).toBe(1_719n)
})

test('break-even is 100 / (100 + payout)', () => {
  expect(breakEvenOf(85)).toBeCloseTo(54.05, 2)
  expect(breakEvenOf(100)).toBe(50)
})

test('VA19: choosing an expiry sets the amount to its minimum and keeps the direction', () => {
  expect(chooseExpiry(startForm(SELL), HOUR)).toEqual({ direction: SELL, settingId: 2, amount: '20.00' })
})

test('an untouched form starts with the first expiry that ends before the close', () => {
  expect(withFirstExpiry(startForm(), FACTS).settingId).toBe(1)
  expect(withFirstExpiry(startForm(), { ...FACTS, closesAt: 1_000_000 }).settingId).toBeNull()
  expect(withFirstExpiry(FORM, FACTS)).toBe(FORM)
})

test('every amount that can be submitted is valid for the server, the limits and the balance', () => {
  fc.assert(
    fc.property(fc.stringMatching(/^\d{0,5}\.?\d{0,2}$/), fc.bigInt(0n, 200_000n), (amount, cents) => {
      const view = readOrderForm({ ...FORM, amount }, { ...FACTS, balance: money(cents) })
      if (!view.maySubmit || view.stake === null) return
      expect(view.stake).toBeGreaterThanOrEqual(parseMoney('10') ?? 0n)
      expect(view.stake).toBeLessThanOrEqual(parseMoney('500') ?? 0n)
      expect(view.stake).toBeLessThanOrEqual(cents)
    }),
  )
})

const LAST = { settingId: 2, stake: money(7_500) }

test.each<[string, Partial<OrderFacts>, string]>([
  ['is possible', {}, '75.00'],
  ['is the whole balance', { balance: money(7_500) }, '75.00'],
  ['exceeds the balance', { balance: money(7_499) }, '20.00'],
  ['exceeds an own limit', { ownRoom: money(7_499) }, '20.00'],
  ['exceeds the maximum', { settings: [MINUTE, { ...HOUR, max_amount: 74.99 }] }, '20.00'],
  ['is below the minimum', { settings: [MINUTE, { ...HOUR, min_amount: 75.01 }] }, '75.01'],
])('the form starts with the last stake or the minimum when the last stake %s', (_, facts, amount) => {
  expect(recallOrder(startForm(SELL), LAST, { ...FACTS, ...facts })).toEqual({ direction: SELL, settingId: 2, amount })
})

test.each<[string, Partial<OrderFacts>]>([
  ['is no longer offered', { settings: [MINUTE] }],
  ['would end after the close', { closesAt: FACTS.now + 3_599_999 }],
])('a last duration that %s does not change the initial form', (_, facts) => {
  expect(recallOrder(startForm(), LAST, { ...FACTS, ...facts })).toEqual(startForm())
})

test('1,000 random results never raise the proposed stake above the last stake or the minimum', () => {
  const results = fc.array(fc.integer({ min: -50_000, max: 50_000 }), { minLength: 1_000, maxLength: 1_000 })
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 100_000 }), results, (stake, changes) => {
      const highest = Math.max(stake, HOUR.min_amount * 100)
      let balance = 100_000
      for (const change of changes) {
        balance = Math.max(0, balance + change)
        const facts = { ...FACTS, balance: money(balance) }
        const { amount } = recallOrder(startForm(), { settingId: HOUR.id, stake: money(stake) }, facts)
        expect(Number(amount) * 100).toBeLessThanOrEqual(highest + 0.001)
      }
    }),
    { numRuns: 20 },
  )
})

const FORMER = { symbol: 'BTC', direction: SELL, seconds: 3_600, stake: money(7_500), payout: 80 }

const cents = fc.bigInt({ min: 0n, max: 1_000_000_000_000n })

test('a share of the balance is rounded down to the cent and never above the share, the maximum or 10 %', () => {
  fc.assert(
    fc.property(cents, (balance) => {
      for (const { percent, stake, limit } of balanceShares(money(balance), MINUTE)) {
        expect(percent).toBeLessThanOrEqual(10)
        expect(stake * 100n).toBeLessThanOrEqual(balance * BigInt(percent))
        if (limit === null) expect((stake + 1n) * 100n).toBeGreaterThan(balance * BigInt(percent))
        expect(limit === 'below_minimum').toBe(stake < 1_000n)
        if (limit === 'above_maximum') expect(stake).toBe(50_000n)
        expect(stake).toBeLessThanOrEqual(50_000n)
      }
    }),
  )
})

test('10 % of 0.05 is below the minimum, and 10 % of 10,000,000 is the maximum', () => {
  expect(balanceShares(money(5), MINUTE).at(-1)).toMatchObject({ percent: 10, limit: 'below_minimum' })
  const capped = { percent: 10, stake: money(50_000), limit: 'above_maximum' }
  expect(balanceShares(money(1_000_000_000), MINUTE).at(-1)).toEqual(capped)
})

test('a repeated order fills in direction, duration and stake', () => {
  expect(repeatOrder(FORMER, FACTS)).toEqual({ direction: SELL, settingId: HOUR.id, amount: '75.00' })
})

test('a duration that is no longer offered is replaced by the first one, and the rest of the repeated order is filled in', () => {
  const form = repeatOrder({ ...FORMER, seconds: 7 }, FACTS)
  expect(form).toEqual({ direction: SELL, settingId: MINUTE.id, amount: '75.00' })
})

test('a repeated stake above the balance is shown as such and cannot be sent', () => {
  const facts = { ...FACTS, balance: money(7_499) }
  expect(readOrderForm(repeatOrder(FORMER, facts), facts)).toMatchObject({ problem: 'insufficient', maySubmit: false })
})
