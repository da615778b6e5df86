import { render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, test } from 'vitest'
import { fakeApi } from '#test/support/fake-api.ts'
import { aUser } from '#test/support/web-fixtures.ts'
import { queryClient, withData } from '#web/api/query.tsx'
import { getSession, signIn } from '#web/session/session.ts'
import { DemoFunds } from '#web/tasks/demo-funds.tsx'

const Shown = withData(DemoFunds)
const TERMS = { currency: 'USDT', min_amount: 10, max_amount: 50_000, fixed_charge: 0, percent_charge: 0, rate: 1 }
const gateway = (rest: object = {}) => ({
  id: 1,
  name: 'Demo funds',
  is_automatic: true,
  form: { form_data: [] },
  single_currency: TERMS,
  ...rest,
})

beforeEach(() => queryClient.clear())

function open(gateways: object[], balance = 0) {
  const user = aUser({ balance })
  signIn({ token: 'T1', user })
  const api = fakeApi({
    'GET /user/payment-gateways/deposit': { body: { data: { gateways } } },
    'POST /user/deposits/save': { body: { data: {} } },
    'GET /user/profile': { body: { data: { user: { ...user, balance: 1_000 } } } },
  })
  render(<Shown />)
  return api
}

test('demo funds are credited in one press, and the offer disappears', async () => {
  const { seen } = open([gateway({ id: 2, is_automatic: false }), gateway()])
  const button = await screen.findByRole('button', { name: 'Get $1,000.00 in demo funds' })
  await waitFor(() => expect((button as HTMLButtonElement).disabled).toBe(false))
  await userEvent.click(button)
  await waitFor(() => expect(screen.queryByRole('button')).toBeNull())
  expect(getSession()?.user.balance).toBe(1_000)
  expect(seen.find(({ route }) => route === 'POST /user/deposits/save')?.body).toMatchObject({
    method_id: '1',
    amount: '1000',
  })
})

test.each([
  ['waits for an approval', gateway({ is_automatic: false })],
  ['asks for something', gateway({ form: { form_data: [{ is_required: true }] } })],
  ['is in another currency', gateway({ single_currency: { ...TERMS, rate: 0.9 } })],
])('the card shows no offer when the only gateway %s', async (_, only) => {
  open([only])
  await waitFor(() => expect(screen.queryByRole('button')).toBeNull())
})

test('the card shows no offer to users with a balance', () => {
  const { seen } = open([gateway()], 5)
  expect([screen.queryByRole('button'), seen.length]).toEqual([null, 0])
})
