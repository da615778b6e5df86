import { QueryClientProvider } from '@tanstack/react-query'
import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { MemoryRouter } from 'react-router'
import { beforeEach, expect, test } from 'vitest'
import { permissionsOf } from '#core/staff/permissions.ts'
import { fakeApi } from '#test/support/fake-api.ts'
import { ToastProvider } from '#ui/toast.tsx'
import { queryClient } from '#back-office/api/queries.ts'
import { CorrectionsPage } from '#back-office/pages/corrections/corrections-page.tsx'
import { StaffContext } from '#back-office/session/staff.ts'

const ME = {
  id: 's1',
  name: 'cleo',
  role: 'finance' as const,
  is_demo: true,
  is_single_operator: false,
  site_name: 'Fairwick',
  new_device: null,
  permissions: permissionsOf('finance'),
}

beforeEach(() => queryClient.clear())

test('AT43: announced and disputed adjustments have their own tabs', async () => {
  const api = fakeApi({ 'GET /admin/corrections': { body: { data: { rows: [], next: null } } } })
  const user = userEvent.setup()
  render(
    <QueryClientProvider client={queryClient}>
      <MemoryRouter initialEntries={['/corrections']}>
        <StaffContext value={ME}>
          <ToastProvider dismissLabel="Dismiss">
            <CorrectionsPage />
          </ToastProvider>
        </StaffContext>
      </MemoryRouter>
    </QueryClientProvider>,
  )
  for (const [name, state] of [
    ['Disputed', 'disputed'],
    ['Announced', 'announced'],
  ] as const) {
    await user.click(await screen.findByRole('tab', { name }))
    expect(await screen.findByText('No matching adjustments.')).toBeTruthy()
    expect(api.seen.at(-1)?.query).toMatchObject({ state })
  }
})
