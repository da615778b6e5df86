import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import type { TransactionOut } from '#contract/transactions.ts'
import { type FakeAnswer, fakeApi } from '#test/support/fake-api.ts'
import { aUser } from '#test/support/web-fixtures.ts'
import { queryClient, withData } from '#web/api/query.tsx'
import { loadTexts } from '#web/i18n/catalogue.ts'
import { ClosedTransactions } from '#web/screens/transaction-history/closed-transactions.tsx'
import { signIn } from '#web/session/session.ts'

const List = withData(ClosedTransactions)

beforeAll(async () => {
  await loadTexts('trading')
  await loadTexts('more')
})

beforeEach(() => {
  queryClient.clear()
  signIn({ token: 'T1', user: aUser() })
})

test('while the sold orders load, the other orders are not shown as sold', async () => {
  let reply: (sold: FakeAnswer) => void = () => undefined
  const sold = new Promise<FakeAnswer>((resolve) => {
    reply = resolve
  })
  serve({ orders: [order('A', 1), order('B', 5)], pages: 2, sold })
  render(<List />)
  await userEvent.click(await screen.findByRole('radio', { name: 'Sold back' }))
  expect(screen.queryAllByRole('listitem')).toEqual([])
  reply(page([order('B', 5)], 1))
  expect(await screen.findAllByRole('listitem')).toHaveLength(1)
})

test.each([
  ['shows a sold order', [order('A', 1), order('B', 5)], 2],
  ['is the whole history', [order('A', 1)], 1],
])('nothing asks for sold orders when the first page %s', async (_, orders, pages) => {
  const { outcomes } = serve({ orders, pages, sold: page([], 1) })
  render(<List />)
  expect(await screen.findAllByRole('listitem')).toHaveLength(orders.length)
  expect(screen.queryAllByRole('radio')).toHaveLength(orders.length === 2 ? 2 : 0)
  expect(outcomes()).toEqual([undefined])
})

test('the list offers the filter when a sold order is on an older page', async () => {
  serve({ orders: [order('A', 1)], pages: 2, sold: page([order('B', 5)], 1) })
  render(<List />)
  expect(await screen.findByRole('radio', { name: 'Sold back' })).toBeDefined()
})

interface Served {
  orders: TransactionOut[]
  pages: number
  sold: FakeAnswer | Promise<FakeAnswer>
}

function serve({ orders, pages, sold }: Served) {
  const { seen } = fakeApi({
    'GET /user/transactions': ({ query }) => (query['outcome'] === 'sold' ? sold : page(orders, pages)),
  })
  return { outcomes: () => seen.map(({ query }) => query['outcome']) }
}

function page(transactions: TransactionOut[], pages: number): FakeAnswer {
  const total = transactions.length + (pages - 1) * 10
  return { body: { data: { transactions }, meta: { page: 1, per_page: 10, total, pages } } }
}

function order(id: string, result: 1 | 5): TransactionOut {
  return {
    id,
    trx: `TRX${id}`,
    amount: 10,
    updated_at: '2026-01-05T10:00:00.000Z',
    expires_at: '2026-01-05T10:00:00.000Z',
    remainingTime: 0,
    trade_log: {
      high_low: 1,
      crypto_currency: { name: 'Bitcoin', symbol: 'BTCUSDT', market_type: 'crypto', decimals: 2, color: '#000000' },
      price_was: 100,
      post_trade_price: 101,
      trade_setting: { time: 300 },
      result,
      result_amount: 8,
      profitCame: 80,
      void_reason: null,
      made_good: null,
    },
  }
}
