import { QueryClientProvider } from '@tanstack/react-query'
import { render, screen } from '@testing-library/react'
import { MemoryRouter } from 'react-router'
import { beforeEach, expect, test } from 'vitest'
import { permissionsOf } from '#core/staff/permissions.ts'
import { fakeApi } from '#test/support/fake-api.ts'
import { ToastProvider } from '#ui/toast.tsx'
import { queryClient } from '#back-office/api/queries.ts'
import { ChangeDetail } from '#back-office/pages/changes/change-detail.tsx'
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

function aChange(id: string, state = 'in_force') {
  return {
    id,
    kind: 'settings',
    subject: 'site',
    subject_name: `the site of ${id}`,
    state,
    asked_by: 'oskar',
    asked_at: '2026-03-18T15:00:00.000Z',
    second_by: null,
    applies_at: null,
    ended_by: '',
    ended_at: null,
    reason: '',
    content_hash: 'h',
    lines: [],
    may_second: true,
    may_cancel: true,
  }
}

beforeEach(() => queryClient.clear())

test('a waiting change that is older than fifty ended changes can be opened and cancelled', async () => {
  const newer = Array.from({ length: 50 }, (_, nth) => aChange(`newer-${nth}`))
  const pages: Record<string, object> = {
    open: { rows: [aChange('wanted', 'asked')], next: null },
    all: { rows: newer, next: 'the next page' },
  }
  fakeApi({
    'GET /admin/changes': ({ query }) => ({ body: { data: pages[query['state'] ?? ''] } }),
  })
  render(
    <QueryClientProvider client={queryClient}>
      <MemoryRouter>
        <StaffContext value={ME}>
          <ToastProvider dismissLabel="Dismiss">
            <ChangeDetail id="wanted" onClose={() => undefined} />
          </ToastProvider>
        </StaffContext>
      </MemoryRouter>
    </QueryClientProvider>,
  )
  expect(await screen.findByRole('button', { name: /^Cancel/ })).toBeTruthy()
})
