import { QueryClientProvider } from '@tanstack/react-query'
import { act, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, test } from 'vitest'
import type { SplitRow } from '#contract/back-office/splits.ts'
import { permissionsOf, type Role } from '#core/staff/permissions.ts'
import { fakeApi } from '#test/support/fake-api.ts'
import { ToastProvider } from '#ui/toast.tsx'
import { queryClient } from '#back-office/api/queries.ts'
import { SymbolSplits } from '#back-office/pages/symbols/symbol-splits.tsx'
import { StaffContext } from '#back-office/session/staff.ts'

beforeEach(() => queryClient.clear())

const DAY = '2026-12-04'
const COMING: SplitRow = {
  code: 'TSLA',
  trading_day: DAY,
  version: 2,
  new_shares: 3,
  old_shares: 1,
  state: 'coming',
  effective_at: '2026-12-04T14:30:00.000Z',
  announced_at: '2026-11-28T10:00:00.000Z',
  source: 'https://example.com/notice',
  who: 'olga',
}
const SAVED = { body: { data: { split_version: 3, effective_at: COMING.effective_at } } }

function draw({ rows = [COMING], rowsLater = rows, reply = SAVED, role = 'markets' }: Drawn = {}) {
  let reads = 0
  const api = fakeApi({
    'GET /admin/markets/splits': () => {
      const now = reads === 0 ? rows : rowsLater
      reads += 1
      return { body: { data: { rows: now, next: null } } }
    },
    'GET /admin/markets/terms/state': {
      body: { data: { newest_n: 17, notice_ms: 3_600_000, ceiling: 10_000, coming: [] } },
    },
    'POST /admin/markets/symbols/TSLA/split': reply,
  })
  const me = {
    id: 's1',
    name: 'mara',
    role,
    is_demo: true,
    is_single_operator: false,
    site_name: 'Fairwick',
    new_device: null,
  }
  render(
    <QueryClientProvider client={queryClient}>
      <StaffContext value={{ ...me, permissions: permissionsOf(role) }}>
        <ToastProvider dismissLabel="Dismiss">
          <SymbolSplits code="TSLA" />
        </ToastProvider>
      </StaffContext>
    </QueryClientProvider>,
  )
  return { user: userEvent.setup(), sent: () => api.seen.filter(({ route }) => route.startsWith('POST')) }
}
interface Drawn {
  readonly rows?: readonly SplitRow[]
  /** The list from the second time on that the page loads it. */
  readonly rowsLater?: readonly SplitRow[]
  readonly reply?: { readonly status?: number; readonly body: object }
  readonly role?: Role
}

test('P7: lists announced splits with their state and source', async () => {
  draw()
  expect(await screen.findByText(`3:1 · ${DAY}`)).toBeTruthy()
  expect(screen.getByText('Upcoming')).toBeTruthy()
  expect(screen.getByText(/^https:\/\/example\.com\/notice · /)).toBeTruthy()
})

test('P7: a staff member who may not edit markets sees splits without the form', async () => {
  draw({ rows: [], role: 'support' })
  expect(await screen.findByText('No splits.')).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'Announce split' })).toBeNull()
})

test('P7: a new split for the same day replaces the version that staff saw', async () => {
  const { user, sent } = draw()
  await user.type(await screen.findByLabelText('First trading day on the new basis'), DAY)
  await user.type(screen.getByLabelText('New shares'), '5')
  await user.type(screen.getByLabelText('Source'), ' https://example.com/corrected ')
  await user.click(screen.getByRole('button', { name: 'Announce split' }))
  expect(await screen.findByText(/^Announced: 5:1 from /)).toBeTruthy()
  expect(sent()[0]?.body).toEqual({
    split_version: 2,
    trading_day: DAY,
    new_shares: 5,
    old_shares: 1,
    source: 'https://example.com/corrected',
  })
})

test('P7: a split of one share for one withdraws the announced split', async () => {
  const { user } = draw()
  await user.type(await screen.findByLabelText('First trading day on the new basis'), DAY)
  await user.type(screen.getByLabelText('New shares'), '1')
  await user.type(screen.getByLabelText('Source'), 'The company cancelled it.')
  await user.click(screen.getByRole('button', { name: 'Announce split' }))
  expect(await screen.findByText('Split withdrawn.')).toBeTruthy()
})

test('P7: an empty form names each missing field and sends nothing', async () => {
  const { user, sent } = draw({ rows: [] })
  await user.click(await screen.findByRole('button', { name: 'Announce split' }))
  expect(await screen.findAllByText('This field is required.')).toHaveLength(3)
  expect(sent()).toEqual([])
})

test('P7: a split that another person announced during the edit is not replaced unseen', async () => {
  const { user, sent } = draw({ rowsLater: [{ ...COMING, version: 3, new_shares: 4 }] })
  await user.type(await screen.findByLabelText('First trading day on the new basis'), DAY)
  await user.type(screen.getByLabelText('New shares'), '5')
  await user.type(screen.getByLabelText(/^Source/), 'https://example.com/other')
  await act(() => queryClient.invalidateQueries())
  expect(await screen.findByText(`4:1 · ${DAY}`)).toBeTruthy()
  expect(screen.getByRole('button', { name: 'Reload' })).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'Announce split' }))
  await screen.findByText(/announced/i)
  expect(sent()[0]?.body).toMatchObject({ trading_day: DAY, split_version: 2 })
})
