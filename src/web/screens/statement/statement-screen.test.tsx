import { render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, test, vi } from 'vitest'
import type { StatementOut, StatementRowOut } from '#contract/statement.ts'
import { type FakeAnswer, fakeApi } from '#test/support/fake-api.ts'
import { fileText, OWN_KEY, ROWS, signed } from '#test/support/signed-statement.ts'
import { queryClient } from '#web/api/query.tsx'
import { StatementScreen } from '#web/screens/statement/statement-screen.tsx'

beforeEach(() => queryClient.clear())

const STATEMENT: StatementOut = {
  from_ms: 0,
  to_ms: 1,
  zone: 'UTC',
  currency: 'USDT',
  rows: 3,
  first_result: 7,
  last_result: 7,
  opening: 10,
  deposits: 50,
  withdrawals: 20,
  charges: 0.5,
  won: 8.25,
  lost: 0,
  corrections: -1.25,
  closing: 46.5,
  made_at: '2026-11-21T14:37:02.000Z',
}
const AT = '2026-11-20T10:00:00.000Z'
const ORDER = {
  result_number: 7,
  symbol: 'BTC',
  high_low: 1,
  stake: 10,
  payout_percent: 82.5,
  entry: '1.00',
  exit: null,
  void_reason: 'no_tick_before_expiry',
} as const
const LIST: StatementRowOut[] = [
  { n: 1, at: AT, kind: 'deposit', reference: 'FW-DEPOSIT', words: '=1+1 <b>bold</b>', amount: 50, balance: 60 },
  { n: 2, at: AT, kind: 'order_void', reference: 'FW-ORDER', words: '', amount: 0, balance: 60, order: ORDER },
  { n: 3, at: AT, kind: 'correction', reference: 'FW-FIX', words: '', amount: -1.25, balance: 58.75 },
]
const reply = (rows = LIST, change: Partial<StatementOut> = {}): FakeAnswer => ({
  body: {
    data: { statement: { ...STATEMENT, rows: rows.length, ...change }, credits: { received: 0, total: 5 }, rows },
    meta: { page: 1, per_page: 50, total: rows.length, pages: 1 },
  },
})

test('the screen shows the totals, and each row with its reason', async () => {
  fakeApi({ 'GET /user/statement': reply() })
  render(<StatementScreen />)
  await screen.findByText('Total at the end')
  const sums = document.querySelector('dl')?.textContent ?? ''
  for (const text of ['$10.00', '+$50.00', '−$20.00', '−$0.50', '+$8.25', '−$1.25', '$46.50'])
    expect(sums).toContain(text)
  expect(screen.getByText('=1+1 <b>bold</b>')).toBeTruthy()
  expect(screen.getByText('Adjustment by the operator, without a reason')).toBeTruthy()
  expect(screen.getByRole('link', { name: 'FW-ORDER' }).getAttribute('href')).toBe('/check/FW-ORDER')
  expect(screen.getByText(/Credits are not part of the total/)).toBeTruthy()
})

test('the screen requests the chosen year, or the chosen days', async () => {
  const { seen } = fakeApi({ 'GET /user/statement': reply([]) })
  const user = userEvent.setup()
  render(<StatementScreen />)
  expect(await screen.findByText('Nothing changed your total in this period.')).toBeTruthy()
  const year = new Date().getFullYear()
  await user.click(screen.getByRole('radio', { name: 'Year' }))
  await waitFor(() => expect(seen.at(-1)?.query).toMatchObject({ from: `${year}-01-01`, to: `${year + 1}-01-01` }))
  await user.click(screen.getByRole('radio', { name: 'Days' }))
  await user.clear(screen.getByLabelText('First day'))
  await user.type(screen.getByLabelText('First day'), '2025-11-30')
  await waitFor(() => expect(seen.at(-1)?.query).toMatchObject({ from: '2025-11-30', page: '1' }))
})

test('the screen says that statement and ledger differ, and offers a retry', async () => {
  const message = 'Your statement does not add up. We have been told and are looking into it.'
  fakeApi({ 'GET /user/statement': { status: 503, body: { message, code: 'books_differ' } } })
  queryClient.setDefaultOptions({ queries: { ...queryClient.getDefaultOptions().queries, retryDelay: 0 } })
  render(<StatementScreen />)
  expect((await screen.findByRole('alert')).textContent).toContain(message)
  expect(screen.getByRole('button', { name: 'Try again' })).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'Download CSV' })).toBeNull()
})

test('the screen prints the checked rows of the signed file with its hash, and no other part of the page', async () => {
  const file = signed(ROWS)
  fakeApi({
    'GET /user/statement': reply(),
    'GET /user/statement/signed': { text: fileText(file) },
    'GET /proof/keys': { body: { data: { keys: [OWN_KEY.key] } } },
  })
  const print = vi.fn<() => void>()
  vi.stubGlobal('print', print)
  render(<StatementScreen />)
  await userEvent.setup().click(await screen.findByRole('button', { name: 'Print' }))
  await waitFor(() => expect(print).toHaveBeenCalledOnce())
  const sheet = document.querySelector('body > .print-sheet')
  expect(sheet?.querySelectorAll('tbody tr')).toHaveLength(ROWS.length)
  const facts = JSON.parse(file.facts) as { rows_sha256: string }
  expect(sheet?.textContent).toContain(facts.rows_sha256)
  expect(sheet?.textContent).toContain('signature, rows, sums and result numbers match')
  globalThis.dispatchEvent(new Event('afterprint'))
  await waitFor(() => expect(document.querySelector('.print-sheet')).toBeNull())
})

test('a statement of more than 2,000 rows cannot be printed', async () => {
  fakeApi({ 'GET /user/statement': reply(LIST, { rows: 2_001 }) })
  render(<StatementScreen />)
  expect(await screen.findByText('Too long to print. Choose a month, or take the CSV.')).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'Print' })).toBeNull()
})
