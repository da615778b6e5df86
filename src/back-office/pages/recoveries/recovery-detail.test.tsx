import { QueryClientProvider } from '@tanstack/react-query'
import { render, screen } from '@testing-library/react'
import { MemoryRouter } from 'react-router'
import { beforeEach, expect, test } from 'vitest'
import { permissionsOf } from '#core/staff/permissions.ts'
import { fakeApi } from '#test/support/fake-api.ts'
import { ToastProvider } from '#ui/toast.tsx'
import { queryClient } from '#back-office/api/queries.ts'
import { RecoveryDetail } from '#back-office/pages/recoveries/recovery-detail.tsx'
import { StaffContext } from '#back-office/session/staff.ts'

const ME = {
  id: 's1',
  name: 'olga',
  role: 'owner' as const,
  is_demo: true,
  is_single_operator: false,
  site_name: 'Fairwick',
  new_device: null,
  permissions: permissionsOf('owner'),
}

function aRecovery(id: string, state = 'done') {
  return {
    id,
    user_id: `user of ${id}`,
    username: `name of ${id}`,
    state,
    lost: ['password'],
    words: 'She knows her deposits.',
    link_to: 'a••@example.com',
    is_new_address: false,
    deposits: [],
    asked_by: 'oskar',
    asked_at: '2026-03-18T15:00:00.000Z',
    confirmed_by: 'olga',
    opens_at: '2026-03-21T15:00:00.000Z',
    link_until: null,
    ended_at: null,
    ended_by: '',
    content_hash: 'h',
    may_confirm: false,
    may_send: false,
    may_stop: state !== 'done',
  }
}

beforeEach(() => queryClient.clear())

function draw(pages: (query: Readonly<Record<string, string>>) => object) {
  fakeApi({ 'GET /admin/recoveries': ({ query }) => ({ body: { data: pages(query) } }) })
  render(
    <QueryClientProvider client={queryClient}>
      <MemoryRouter>
        <StaffContext value={ME}>
          <ToastProvider dismissLabel="Dismiss">
            <RecoveryDetail id="wanted" onClose={() => undefined} />
          </ToastProvider>
        </StaffContext>
      </MemoryRouter>
    </QueryClientProvider>,
  )
}

const NEWER = Array.from({ length: 50 }, (_, nth) => aRecovery(`newer-${nth}`))

test('F3: an open recovery that is older than fifty newer ones can be opened and stopped', async () => {
  draw(({ state }) =>
    state === 'open' ? { rows: [aRecovery('wanted', 'asked')], next: null } : { rows: NEWER, next: 'the next page' },
  )
  expect(await screen.findByRole('button', { name: /^Stop/ })).toBeTruthy()
})

test('F3: an ended recovery is found on a later page', async () => {
  draw(({ state, after }) => {
    if (state === 'open') return { rows: [], next: null }
    return after === undefined ? { rows: NEWER, next: 'more' } : { rows: [aRecovery('wanted')], next: null }
  })
  expect(await screen.findByText('name of wanted')).toBeTruthy()
})
