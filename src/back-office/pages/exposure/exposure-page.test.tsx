import { QueryClientProvider } from '@tanstack/react-query'
import { act, render, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import type { ReactNode } from 'react'
import { beforeEach, expect, test } from 'vitest'
import type { ExposureRow } from '#contract/back-office/exposure.ts'
import { permissionsOf } from '#core/staff/permissions.ts'
import { fakeApi } from '#test/support/fake-api.ts'
import { ToastProvider } from '#ui/toast.tsx'
import { queryClient } from '#back-office/api/queries.ts'
import { CapForm } from '#back-office/pages/exposure/cap-form.tsx'
import { ExposurePage } from '#back-office/pages/exposure/exposure-page.tsx'
import { StaffContext } from '#back-office/session/staff.ts'

beforeEach(() => queryClient.clear())

const ME = {
  id: 's1',
  name: 'markets',
  role: 'markets' as const,
  is_demo: true,
  site_name: 'Fairwick',
  is_single_operator: false,
  new_device: null,
  permissions: permissionsOf('markets'),
}

const ROW: ExposureRow = {
  scope: 'symbol',
  key: 'BTC',
  most: 200,
  since: '2026-03-18T15:00:00.000Z',
  coming: null,
  version: 21,
  used: { buys: 150, sells: 40 },
  bots: { buys: 0, sells: 0 },
  minute: null,
  refused: { buys: 3, sells: 0 },
}
const MAX_STAKES = [
  { seconds: 60, profit: 80 },
  { seconds: 300, profit: 120 },
]

/** The cap that the server stores. */
let stored = ROW
beforeEach(() => {
  stored = ROW
})

function draw(page: ReactNode) {
  const api = fakeApi({
    'GET /admin/exposure': () => ({ body: { data: { rows: [stored], largest: MAX_STAKES } } }),
    'POST /admin/exposure/caps/save': { body: { data: { version: 22, applies_at: '2026-03-18T16:00:00.000Z' } } },
  })
  render(
    <QueryClientProvider client={queryClient}>
      <StaffContext value={ME}>
        <ToastProvider dismissLabel="Dismiss">{page}</ToastProvider>
      </StaffContext>
    </QueryClientProvider>,
  )
  return { user: userEvent.setup(), sent: () => api.seen.filter(({ route }) => route.startsWith('POST')) }
}

test('OD7.5: the page compares the profits of both sides with the same cap, and shows the worst case and the refused orders', async () => {
  draw(<ExposurePage />)
  const row = (await screen.findByRole('heading', { name: 'BTC' })).closest('li')
  const meters = within(row ?? document.body).getAllByRole('meter')
  expect(
    meters.map((meter) => [meter.getAttribute('aria-label'), meter.getAttribute('value'), meter.getAttribute('max')]),
  ).toEqual([
    ['BTC: If buys win', '150', '200'],
    ['BTC: If sells win', '40', '200'],
  ])
  expect(screen.getByText('Worst case: $150.00')).toBeTruthy()
  expect(screen.getByText('Refused today: 3 buys, 0 sells')).toBeTruthy()
  expect(screen.getByText(/^Cap of \$200.00 since 18 Mar 2026/)).toBeTruthy()
})

test('OD7.5: the form shows whether the largest order fits under a typed cap, and asks to confirm a cap below that order', async () => {
  const { user, sent } = draw(<CapForm row={ROW} largest={MAX_STAKES} />)
  expect(screen.getByText('With this cap the order with the largest stake on 5 min just fits.')).toBeTruthy()
  expect(screen.queryByRole('checkbox')).toBeNull()
  const field = screen.getByLabelText('Maximum total profit of one side')
  await user.clear(field)
  await user.type(field, '100')
  expect(screen.getByText('With this cap the order with the largest stake on 5 min no longer fits.')).toBeTruthy()
  await user.click(screen.getByRole('checkbox'))
  await user.type(screen.getByLabelText('Reason'), 'a busy day')
  await user.click(screen.getByRole('button', { name: 'Announce the cap' }))
  expect(await screen.findByText(/^The cap is announced. It applies from 18 Mar 2026/)).toBeTruthy()
  expect(sent()[0]?.body).toEqual({
    scope: 'symbol',
    key: 'BTC',
    most: 100,
    version: 21,
    reason: 'a busy day',
    confirmed: true,
  })
})

test('OD7.5: an empty amount removes the cap', async () => {
  const { user, sent } = draw(<CapForm row={ROW} largest={MAX_STAKES} />)
  await user.clear(screen.getByLabelText('Maximum total profit of one side'))
  expect(screen.getByText('Without a cap, every order fits.')).toBeTruthy()
  await user.type(screen.getByLabelText('Reason'), 'calm again')
  await user.click(screen.getByRole('button', { name: 'Announce the cap' }))
  await screen.findByText(/^The cap is announced/)
  expect(sent()[0]?.body).toMatchObject({ most: null })
})

test('OD7.5: a cap that another person changed during the edit is not replaced unseen', async () => {
  const { user, sent } = draw(<ExposurePage />)
  await user.click(await screen.findByText(/^Change/))
  const field = () => screen.getByLabelText<HTMLInputElement>('Maximum total profit of one side')
  await user.type(screen.getByLabelText('Reason'), 'a busy day')
  stored = { ...ROW, most: 50, version: 22 }
  await act(() => queryClient.invalidateQueries())
  expect(await screen.findByText(/^Cap of \$50.00/)).toBeTruthy()
  expect(field().value).toBe('200')
  await user.click(screen.getByRole('button', { name: 'Announce the cap' }))
  await screen.findByText(/^The cap is announced/)
  expect(sent()[0]?.body).toMatchObject({ most: 200, version: 21 })
  await screen.findByText(/^Cap of \$50.00/)
  expect(field().value, 'after an own save the form edits the newest cap').toBe('50')
})
