import { expect, test } from 'vitest'
import { BUY, SELL } from '#core/orders/order.ts'
import type { PlacedOrder } from '#web/live/placed-order.ts'
import type { OrderResult } from '#web/live/result-store.ts'
import { type FlowEvent, IDLE, nextFlow, type OrderFlow } from '#web/screens/trade/order-flow.ts'

const ORDER = order('a')
const RESULT = result('a')
const FORM: OrderFlow = { step: 'form', direction: BUY, error: null }
const SUBMITTING: OrderFlow = { step: 'submitting', direction: BUY }
const RUNNING: OrderFlow = { step: 'running', order: ORDER }
const COMPLETING: OrderFlow = { step: 'completing', order: ORDER }
const COMPLETED: OrderFlow = { step: 'completed', order: ORDER, result: RESULT, isReview: false, isListed: false }

test.each<[string, OrderFlow, FlowEvent, OrderFlow]>([
  ['a direction opens the form', IDLE, { kind: 'choose', direction: BUY }, FORM],
  ['the other direction turns it', FORM, { kind: 'choose', direction: SELL }, { ...FORM, direction: SELL }],
  ['cancel closes it', FORM, { kind: 'cancel' }, IDLE],
  ['submit sends', FORM, { kind: 'submit', direction: BUY }, SUBMITTING],
  ['nothing is chosen while sending', SUBMITTING, { kind: 'choose', direction: SELL }, SUBMITTING],
  ['nothing is cancelled while sending', SUBMITTING, { kind: 'cancel' }, SUBMITTING],
  ['accepted counts down', SUBMITTING, { kind: 'accepted', order: ORDER }, RUNNING],
  ['refused goes back with the words', SUBMITTING, { kind: 'refused', message: 'no' }, { ...FORM, error: 'no' }],
  ['A23: taken back goes back without words', SUBMITTING, { kind: 'refused', message: null }, FORM],
  ['trading on leaves it running', RUNNING, { kind: 'collapse' }, IDLE],
  ['also while it waits', COMPLETING, { kind: 'collapse' }, IDLE],
  ['a running order can be shown again', IDLE, { kind: 'show', order: ORDER }, RUNNING],
  ['but not over one being sent', SUBMITTING, { kind: 'show', order: ORDER }, SUBMITTING],
  ['time over waits for the price', RUNNING, { kind: 'expired', orderId: 'a' }, COMPLETING],
  ["another order's end changes nothing", RUNNING, { kind: 'expired', orderId: 'b' }, RUNNING],
  ['the result completes', COMPLETING, { kind: 'settled', result: RESULT }, COMPLETED],
  ['even before the clock says so', RUNNING, { kind: 'settled', result: RESULT }, COMPLETED],
  ["another order's result changes nothing", RUNNING, { kind: 'settled', result: result('b') }, RUNNING],
  ['a result while in the form changes nothing', FORM, { kind: 'settled', result: RESULT }, FORM],
  ['continue starts over', COMPLETED, { kind: 'continue' }, IDLE],
  ['a late acceptance does not tear the user out of another form', FORM, { kind: 'accepted', order: ORDER }, FORM],
])('SC13: %s', (_, flow, event, next) => {
  expect(nextFlow(flow, event)).toEqual(next)
})

function order(id: string): PlacedOrder {
  return {
    id,
    clientOrderId: `client-${id}`,
    trx: `TRX-${id}`,
    symbol: 'BTC',
    direction: BUY,
    stake: 20,
    payout: 85,
    seconds: 60,
    openedAt: 0,
    expiresAt: 60_000,
    entryPrice: 100,
    entryAt: -363,
  }
}

function result(id: string): OrderResult {
  return {
    id,
    trx: 'T',
    clientOrderId: `client-${id}`,
    crypto: { name: 'Bitcoin', symbol: 'BTC', market_type: 'crypto' },
    high_low: 1,
    price_was: 100,
    post_trade_price: 101,
    amount: 20,
    result: 1,
    result_amount: 17,
    user_balance: 1_017,
    account: 'live',
  }
}
