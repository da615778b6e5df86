import { render, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { fakeApi } from '#test/support/fake-api.ts'
import { aSignedOrder, type OrderSketch, type SignedOrder } from '#test/support/signed-order.ts'
import { ToastProvider } from '#ui/toast.tsx'
import { queryClient } from '#web/api/query.tsx'
import { CheckScreen } from '#web/screens/check/check-screen.tsx'

const TRX = 'ABCD1234'
// The code of the picture loads on the first press, which is slow in a test that has to compile it first.
beforeAll(async () => void (await import('#web/screens/check/share-card.tsx')), 30_000)
beforeEach(() => queryClient.clear())

function check({ bundle, next, line }: SignedOrder): void {
  const evidence = { entry_log: bundle.entryLog, exit_log: bundle.exitLog, terms: [], sources: [], next, line }
  fakeApi({
    [`GET /proof/receipts/${TRX}`]: { body: { data: { accepted: bundle.accepted, result: bundle.result } } },
    [`GET /proof/evidence/${TRX}`]: { body: { data: evidence } },
    'GET /proof/keys': { body: { data: { keys: bundle.keys } } },
  })
  render(
    <ToastProvider dismissLabel="Close">
      <CheckScreen params={{ trx: TRX }} />
    </ToastProvider>,
  )
}

const offer = () => screen.queryByRole('button', { name: 'Make a picture' })

test.each<[string, OrderSketch, string, string]>([
  ['a win', {}, 'Recalculated here: won', '+80.0%'],
  ['a loss', { exit: 9_399_900 }, 'Recalculated here: lost', '−100%'],
  ['a draw', { exit: 9_400_000 }, 'Recalculated here: draw', '0%'],
  ['a void', { exit: null }, 'Recalculated here: void, stake returned', '0%'],
])(
  'the picture of %s says what the check found, and shows the percentage only on request',
  async (_, sketch, headline, percent) => {
    check(aSignedOrder(sketch))
    const user = userEvent.setup()
    await user.click(await screen.findByRole('button', { name: 'Make a picture' }))
    const sheet = await screen.findByRole('dialog', { name: 'Picture of this result' })
    const text = () => within(sheet).getByRole('img').getAttribute('aria-label') ?? ''
    expect(text()).toContain(`Checked. ${headline}. Matches the stored result.`)
    expect(text()).toContain(`Order reference: ${TRX}. Rule: 1. ${location.origin}/check/${TRX}`)
    expect(text()).toContain('Demo · virtual funds')
    expect(text()).not.toContain(percent)
    expect(text()).not.toContain('$')
    await user.click(within(sheet).getByRole('checkbox', { name: 'Show my result in percent of the stake' }))
    expect(text()).toContain(`. ${percent}. `)
  },
)

test('an order that is open offers no picture', async () => {
  check(aSignedOrder({ isRunning: true }))
  await screen.findByText('Accepted as the receipt says')
  expect(offer()).toBeNull()
})

test('a receipt that does not match offers no picture', async () => {
  const order = aSignedOrder({})
  const { result } = order.bundle
  if (result === null) throw new Error('the order has no result')
  const facts = result.facts.replace('"result":"win"', '"result":"lose"')
  check({ ...order, bundle: { ...order.bundle, result: { ...result, facts } } })
  await screen.findByText('This does not match!')
  expect(offer()).toBeNull()
})

test('no picture is offered before the check has run', () => {
  check(aSignedOrder({}))
  expect(screen.getByText(/^Loading/)).toBeTruthy()
  expect(offer()).toBeNull()
})
