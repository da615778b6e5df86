import { render, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import type { ResultFacts } from '#core/proof/receipt-facts.ts'
import { OrderDrawing } from '#web/screens/check/order-drawing.tsx'

const HASH = '0'.repeat(64)
const FACTS: ResultFacts = {
  v: 2,
  kind: 'result',
  trx: 'FW-1',
  symbol: 'BTC',
  symbol_id: 1,
  market: 'crypto',
  decimals: 2,
  direction: 'buy',
  payout_bp: 8_000,
  rule: 2,
  terms: { n: 1, hash: HASH },
  evidence: 'ids',
  max_tick_age_ms: 5_000,
  source: 'binance',
  opened_ms: 1_000,
  expires_ms: 61_000,
  entry: { q: 1, price: 100, time_ms: 900, ref: 1 },
  head: { q: 1, hash: HASH },
  owner: HASH,
  result: 'win',
  void: null,
  exit: { q: 3, price: 101, time_ms: 60_900, ref: 3 },
  next: { q: 4, price: 102, time_ms: 61_100, ref: 4 },
  late: true,
  watermark_ms: 61_100,
  decided_ms: 90_000,
  decided_head: { q: 4, hash: HASH },
}
const PRICES = { all: [], checked: [], isWhole: true }

test.each([
  [true, 1],
  [false, 0],
])('the drawing marks late evidence when the receipt states it (%s)', (late, notes) => {
  render(<OrderDrawing facts={{ ...FACTS, late }} prices={PRICES} ranges={[]} />)
  expect(screen.queryAllByText(/Late evidence: binance/)).toHaveLength(notes)
})
