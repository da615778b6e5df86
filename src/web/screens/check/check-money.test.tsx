import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, test } from 'vitest'
import { moneyFactsText, moneyOwnerText, type MoneyStep } from '#core/proof/money-facts.ts'
import { moneyFileText } from '#core/proof/money-file.ts'
import { ownerHash, type Receipt } from '#core/proof/receipt.ts'
import { fakeApi } from '#test/support/fake-api.ts'
import { makeSigner, signReceipt } from '#test/support/signed-order.ts'
import { ToastProvider } from '#ui/toast.tsx'
import { queryClient } from '#web/api/query.tsx'
import { BROWSER_TOOLS } from '#web/receipts/browser-tools.ts'
import { CheckScreen } from '#web/screens/check/check-screen.tsx'

const TRX = 'FW-0TXWF-9A3BK-2KXD7'
const ADDRESS = 'TJRabPrwbZy45sbavfcjinPJC18kjpRTv8'
const signer = makeSigner()
const KEYS = { 'GET /proof/keys': { body: { data: { keys: [signer.published] } } } }

beforeEach(() => {
  queryClient.clear()
  queryClient.setDefaultOptions({ queries: { ...queryClient.getDefaultOptions().queries, retryDelay: 0 } })
})

function receiptOf(step: MoneyStep, to = ADDRESS): Receipt {
  const part = { record: '0195a000-0000-7000-8000-000000000073', amount: '10000', currency: 'USDT' }
  const owner = moneyOwnerText({ ...part, charges: '150', to, reason: '' })
  const facts = { v: 2, kind: 'money', trx: TRX, of: 'withdrawal', step, at_ms: 1_773_900_000_000 } as const
  return signReceipt(moneyFactsText({ ...facts, owner: ownerHash(BROWSER_TOOLS.sha256, owner) }), 'money', signer, {
    owner,
    content: { made_ms: 1_773_900_000_250 },
  })
}

function shown(params: { trx?: string } = {}): void {
  render(
    <ToastProvider dismissLabel="Close">
      <CheckScreen params={params} />
    </ToastProvider>,
  )
}

async function choose(receipts: readonly Receipt[]): Promise<void> {
  fakeApi(KEYS)
  shown()
  const text = moneyFileText({ receipts, keys: [signer.published] })
  const file = new File([text], 'check.json', { type: 'application/json' })
  await userEvent.upload(screen.getByLabelText(/Choose or drop a file/), file)
}

test('the check page shows the steps of a withdrawal with amount and address, by its reference', async () => {
  const unknown = { status: 404, body: { message: 'unknown', code: 'receipt_unknown' } }
  fakeApi({
    ...KEYS,
    [`GET /proof/receipts/${TRX}`]: unknown,
    [`GET /proof/evidence/${TRX}`]: unknown,
    [`GET /proof/money/${TRX}`]: { body: { data: { receipts: [receiptOf('asked')], proofs: [null] } } },
    'GET /proof/register': {
      body: { data: { origin: '', mode: 'demo', keys: [], newest: null, halted_since: null, witnesses: [] } },
    },
  })
  shown({ trx: TRX })
  expect(await screen.findByRole('heading', { name: 'These receipts are genuine' })).toBeTruthy()
  expect(screen.getByText('Requested')).toBeTruthy()
  expect(screen.getByText(ADDRESS)).toBeTruthy()
  expect(screen.getByText(/100\.00 USDT/)).toBeTruthy()
  expect(await screen.findByText(/Not in the public register yet/)).toBeTruthy()
})

test('the check page requests no order when the link says that the reference belongs to a deposit or withdrawal', async () => {
  history.replaceState(null, '', `/check/${TRX}?of=money`)
  dispatchEvent(new PopStateEvent('popstate'))
  const { seen } = fakeApi({
    ...KEYS,
    [`GET /proof/money/${TRX}`]: { body: { data: { receipts: [receiptOf('asked')], proofs: [null] } } },
  })
  shown({ trx: TRX })
  expect(await screen.findByRole('heading', { name: 'These receipts are genuine' })).toBeTruthy()
  expect(seen.filter(({ route }) => /receipts|evidence/.test(route))).toEqual([])
  history.replaceState(null, '', '/')
  dispatchEvent(new PopStateEvent('popstate'))
})

test('the check page checks a file of another user, without amount and address', async () => {
  const { owner: _, ...receipt } = receiptOf('asked')
  await choose([receipt])
  expect(await screen.findByRole('heading', { name: 'These receipts are genuine' })).toBeTruthy()
  expect(screen.getByText(/in the receipts of the user only/)).toBeTruthy()
})

test.each([
  [
    'another address',
    () => [{ ...receiptOf('asked'), owner: receiptOf('asked', 'another').owner ?? '' }],
    /does not belong to this receipt/,
  ],
  ['two ends', () => [receiptOf('asked'), receiptOf('approved'), receiptOf('rejected')], /contradict each other/],
  [
    'two addresses',
    () => [receiptOf('asked'), receiptOf('approved', 'another')],
    /different records, amounts or addresses/,
  ],
])('the check page says that receipts with %s do not match', async (_, receipts, fault) => {
  await choose(receipts())
  const alert = await screen.findByRole('alert')
  expect(alert.textContent).toMatch(/This does not match!/)
  expect(alert.textContent).toMatch(fault)
})
