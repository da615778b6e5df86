import { beforeAll, expect, test } from 'vitest'
import { readSaleFacts } from '#core/proof/read-facts.ts'
import type { AcceptedFacts } from '#core/proof/receipt-facts.ts'
import { type SaleFacts, saleText } from '#core/proof/sale-facts.ts'
import { loadTexts } from '#web/i18n/catalogue.ts'
import type { OrderCheck } from '#web/receipts/check-order.ts'
import { cardText, cardWords } from '#web/screens/check/card-words.ts'

const AT = Date.UTC(2026, 2, 18, 12)
const HASH = 'a'.repeat(64)
const ACCEPTED: AcceptedFacts = {
  v: 2,
  kind: 'accepted',
  trx: 'ABCD1234',
  symbol: 'BTC',
  symbol_id: 1,
  market: 'crypto',
  decimals: 2,
  direction: 'buy',
  payout_bp: 8_500,
  rule: 2,
  terms: { n: 1, hash: HASH },
  evidence: 'ids',
  max_tick_age_ms: 5_000,
  source: 'test',
  opened_ms: AT,
  expires_ms: AT + 300_000,
  entry: { q: 1, price: 9_400_000, time_ms: AT - 200, ref: 7 },
  head: { q: 1, hash: HASH },
  owner: HASH,
}
const SALE: SaleFacts = {
  ...ACCEPTED,
  kind: 'sale',
  model: 1,
  c: 90,
  fee_bp: 400,
  sale_terms: { n: 2, hash: HASH },
  requested_ms: AT + 60_000,
  requested_head: { q: 30, hash: HASH },
  tick: { q: 33, price: 9_401_500, time_ms: AT + 61_250, ref: 9 },
  received_ms: AT + 61_300,
  movement: '1000000',
  win: 590_000_000,
  same: 1_000_000,
  decided_ms: AT + 61_400,
  decided_head: { q: 34, hash: HASH },
  sale_owner: HASH,
}
const OPTIONS = { site: 'Fairwick', isDemo: true, showsPercent: true, address: 'https://a.test/check/ABCD1234' }

beforeAll(async () => {
  await loadTexts('trading')
  await loadTexts('more')
})

function aCheck(sale: SaleFacts | null, faults: OrderCheck['check']['faults'] = []): OrderCheck {
  const check = { facts: ACCEPTED, faults, recomputed: null, logFault: null, kids: [], amended: null, sale }
  return { check, areKeysOwn: false, isFromFile: false } as unknown as OrderCheck
}

test('the picture of a sale names the price and time of the sale, and no amount or percentage', () => {
  const words = cardWords(aCheck(SALE), OPTIONS)
  expect(words?.rows.map(({ label, value }) => `${label}: ${value}`)).toEqual([
    'Entry: 94,000.0000 · 2026-03-18 11:59:59.800 UTC',
    'Sold back: 94,015.0000 · 2026-03-18 12:01:01.250 UTC',
    'Order reference: ABCD1234',
    'Rule: 2',
  ])
  expect(words && cardText(words)).toMatch(
    /^Fairwick, Checked. Recalculated here: sold back. Matches the stored result/,
  )
  expect(words?.percent).toBeNull()
})

test('a sale that does not match, and an order that is open, have no picture', () => {
  expect(cardWords(aCheck(SALE, ['sale_tick']), OPTIONS)).toBeNull()
  expect(cardWords(aCheck(null), OPTIONS)).toBeNull()
})

test('the check can read the facts that the tests in this file use', () => {
  expect(readSaleFacts(saleText(SALE))).not.toBeNull()
})
