import { QueryClientProvider } from '@tanstack/react-query'
import { render } from '@testing-library/react'
import type { ReactNode } from 'react'
import { MemoryRouter } from 'react-router'
import { permissionsOf } from '#core/staff/permissions.ts'
import { ToastProvider } from '#ui/toast.tsx'
import { queryClient } from '#back-office/api/queries.ts'
import { StaffContext } from '#back-office/session/staff.ts'

const OWNER = {
  id: 's1',
  name: 'owner1',
  role: 'owner' as const,
  is_demo: true,
  site_name: 'Fairwick',
  is_single_operator: false,
  new_device: null,
  permissions: permissionsOf('owner'),
}

/** Draws a part of the back office for a logged-in owner, with an empty query cache. */
export function drawForStaff(page: ReactNode): void {
  queryClient.clear()
  render(
    <QueryClientProvider client={queryClient}>
      <MemoryRouter>
        <StaffContext value={OWNER}>
          <ToastProvider dismissLabel="Dismiss">{page}</ToastProvider>
        </StaffContext>
      </MemoryRouter>
    </QueryClientProvider>,
  )
}
