import { QueryClientProvider } from '@tanstack/react-query'
import { fireEvent, render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import type { ReactNode } from 'react'
import { MemoryRouter } from 'react-router'
import { beforeEach, expect, test } from 'vitest'
import { permissionsOf } from '#core/staff/permissions.ts'
import { fakeApi } from '#test/support/fake-api.ts'
import { ToastProvider } from '#ui/toast.tsx'
import { queryClient } from '#back-office/api/queries.ts'
import { CorrectionDetail } from '#back-office/pages/corrections/correction-detail.tsx'
import { DepositDetail } from '#back-office/pages/deposits/deposit-detail.tsx'
import { HoursPage } from '#back-office/pages/hours/hours-page.tsx'
import { StaffContext } from '#back-office/session/staff.ts'

const TRX = 'FW-AAAA-BBBB-CCCC'
const ME = {
  id: 's1',
  name: 'finance2',
  role: 'owner' as const,
  is_demo: true,
  site_name: 'Fairwick',
  is_single_operator: false,
  new_device: null,
  permissions: permissionsOf('owner'),
}

function draw(page: ReactNode, facts: Partial<typeof ME> = {}): void {
  render(
    <QueryClientProvider client={queryClient}>
      <MemoryRouter>
        <StaffContext value={{ ...ME, ...facts }}>
          <ToastProvider dismissLabel="Dismiss">{page}</ToastProvider>
        </StaffContext>
      </MemoryRouter>
    </QueryClientProvider>,
  )
}

beforeEach(() => queryClient.clear())

function aDeposit(rest: object = {}) {
  return {
    trx: TRX,
    state: 'waiting',
    user_id: '1',
    username: 'alice',
    gateway: 'Bank transfer',
    currency: 'USD',
    amount: 50,
    charge: 0,
    total: 50,
    rate: 1,
    credited: 50,
    created_at: '2026-03-18T15:00:00.000Z',
    first_by: null,
    decided_by: null,
    decided_at: null,
    needs_two: false,
    content_hash: 'h1',
    fields: [],
    files: [],
    remarks: [],
    feedback: '',
    has_due: true,
    quoted_until: null,
    arrivals: [],
    preview: { asked: '50.00', arrived: '50.00', credits: 50, charges: 0, needs_two: false },
    is_before_arrivals: false,
    steps: [],
    same_request: [],
    ...rest,
  }
}
const CREDITED = { state: 'credited', has_due: false, decided_by: 'finance', decided_at: '2026-03-18T15:00:05.000Z' }
const LOST = {
  code: 'already_decided',
  message: 'finance approved this on 18 Mar 2026, 15:00:05 UTC. Your decision was not carried out.',
}

test('F66: when another staff member decided first, the page still says who decided after its buttons are gone', async () => {
  let isDecided = false
  fakeApi({
    [`GET /admin/deposits/${TRX}`]: () => ({ body: { data: aDeposit(isDecided ? CREDITED : {}) } }),
    [`POST /admin/deposits/${TRX}/approve`]: () => {
      isDecided = true
      return { status: 409, body: LOST }
    },
  })
  draw(<DepositDetail trx={TRX} onClose={() => undefined} />)
  await userEvent.click(await screen.findByRole('button', { name: /^Approve/ }))
  await waitFor(() => expect(screen.queryByRole('button', { name: /^Approve/ })).toBeNull())
  expect(screen.getByText(LOST.message)).toBeTruthy()
})

test.each([
  [false, [], 'You approved this. A second approver has to confirm.'],
  [true, ['Approve $50.00'], 'There is no second approver.'],
])(
  'after the first approval, a staff member who is the only operator (%s) sees the buttons %j',
  async (isSingle, buttons, says) => {
    fakeApi({
      [`GET /admin/deposits/${TRX}`]: { body: { data: aDeposit({ needs_two: true, first_by: ME.name }) } },
    })
    draw(<DepositDetail trx={TRX} onClose={() => undefined} />, { is_single_operator: isSingle })
    expect(await screen.findByText(says, { exact: false })).toBeTruthy()
    expect(screen.queryAllByRole('button', { name: /^Approve/ }).map((one) => one.textContent)).toEqual(buttons)
  },
)

test('F61: a decided deposit shows who decided it and when', async () => {
  fakeApi({ [`GET /admin/deposits/${TRX}`]: { body: { data: aDeposit({ ...CREDITED, first_by: 'owner' }) } } })
  draw(<DepositDetail trx={TRX} onClose={() => undefined} />)
  expect((await screen.findByText('First approval')).nextSibling?.textContent).toBe('owner')
  expect(screen.getByText('Decided by').nextSibling?.textContent).toBe('finance')
  expect(screen.getByText('Decided at').nextSibling?.textContent).toBe('18 Mar 2026, 15:00:05 UTC')
})

test.each([
  ['waiting', 'credited on approval'],
  ['seen', 'as quoted'],
  ['credited', 'credited'],
  ['rejected', 'not credited'],
])('F73: a deposit in state %s shows %s', async (state, note) => {
  fakeApi({ [`GET /admin/deposits/${TRX}`]: { body: { data: aDeposit({ state }) } } })
  draw(<DepositDetail trx={TRX} onClose={() => undefined} />)
  expect(await screen.findByText(note)).toBeTruthy()
})

const STALE = { code: 'changed_meanwhile', message: 'finance2 changed this while you were looking at it.' }

test('F66: two presses on "Close market" send one call and show one message', async () => {
  let version = 0
  const market = () => ({
    market_type: 'crypto',
    is_open: version === 0,
    closed_reason: version === 0 ? null : 'Maintenance',
    closed_since: version === 0 ? null : '2026-03-18T15:00:00.000Z',
    opens_at: null,
    closes_at: null,
    calendar: [],
    version,
  })
  const { seen } = fakeApi({
    'GET /admin/markets/hours': () => ({ body: { data: { markets: [market()] } } }),
    'GET /admin/markets/closures': { body: { data: { rows: [], next: null } } },
    'POST /admin/markets/hours/crypto/close': ({ body }) => {
      if ((body as { version: number }).version !== version) return { status: 409, body: STALE }
      version += 1
      return { body: { data: null } }
    },
  })
  draw(<HoursPage />)
  const button = await screen.findByRole('button', { name: 'Close market' })
  const [words] = screen.getAllByLabelText('Reason shown to users')
  if (words === undefined) throw new Error('the form has no field for the text that users read')
  await userEvent.type(words, 'Maintenance')
  // The second press comes before the screen renders again.
  fireEvent.click(button)
  fireEvent.click(button)
  expect(await screen.findByRole('button', { name: 'End manual closure' })).toBeTruthy()
  expect(seen.filter(({ route }) => route.startsWith('POST'))).toHaveLength(1)
  expect(screen.queryByRole('alert')).toBeNull()
})

function aCorrection(rest: object = {}) {
  return {
    id: 'c1',
    state: 'waiting',
    user_id: '1',
    username: 'alice',
    trx: TRX,
    kind: 'credit',
    link: null,
    message: 'Sorry.',
    amount: 999_999_999_999,
    reason: 'paid twice',
    asked_by: ME.name,
    asked_at: '2026-03-18T15:00:00.000Z',
    decided_by: null,
    decided_at: null,
    posts_at: null,
    content_hash: 'h1',
    cash: 0,
    words: '',
    ...rest,
  }
}

test('F71: only the requester of an adjustment can withdraw it', async () => {
  let state = 'waiting'
  const { seen } = fakeApi({
    'GET /admin/corrections/c1': () => ({ body: { data: aCorrection({ state }) } }),
    'POST /admin/corrections/c1/withdraw': () => {
      state = 'withdrawn'
      return { body: { data: { outcome: state } } }
    },
  })
  draw(<CorrectionDetail id="c1" onClose={() => undefined} />)
  await userEvent.click(await screen.findByRole('button', { name: 'Withdraw request' }))
  expect(await screen.findByText('Request withdrawn. The balance did not change.')).toBeTruthy()
  expect(seen.some(({ route }) => route === 'POST /admin/corrections/c1/withdraw')).toBe(true)
})

test('F71: another staff member can approve or reject an adjustment, but not withdraw it', async () => {
  fakeApi({ 'GET /admin/corrections/c1': { body: { data: aCorrection({ asked_by: 'finance' }) } } })
  draw(<CorrectionDetail id="c1" onClose={() => undefined} />)
  expect(await screen.findByRole('button', { name: /^Approve and post/ })).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'Withdraw request' })).toBeNull()
})
