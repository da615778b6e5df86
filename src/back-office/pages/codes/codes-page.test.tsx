import { QueryClientProvider } from '@tanstack/react-query'
import { act, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { MemoryRouter } from 'react-router'
import { beforeEach, expect, test } from 'vitest'
import { permissionsOf } from '#core/staff/permissions.ts'
import { fakeApi } from '#test/support/fake-api.ts'
import { ToastProvider } from '#ui/toast.tsx'
import { queryClient } from '#back-office/api/queries.ts'
import { CodesPage } from '#back-office/pages/codes/codes-page.tsx'
import { StaffContext } from '#back-office/session/staff.ts'

const ME = {
  id: 's1',
  name: 'sara',
  role: 'owner' as const,
  is_demo: true,
  is_single_operator: false,
  site_name: 'Fairwick',
  new_device: null,
  permissions: permissionsOf('owner'),
}

const CODE = {
  id: 'c1',
  code: 'SUMMER',
  label: 'Summer fair',
  max_uses: 1_000,
  from: '2026-03-18T15:00:00.000Z',
  until: null,
  countries: '',
  is_on: true,
  state: 'open',
  uses: 3,
  deposited: 0,
  created_by: 'olga',
  version: 1,
}

beforeEach(() => queryClient.clear())

test('F1: opening a code again after another person changed it shows the values that belong to its version', async () => {
  let stored: typeof CODE = CODE
  const api = fakeApi({
    'GET /admin/codes': () => ({ body: { data: { rows: [stored], next: null } } }),
    'POST /admin/codes/c1/save': { body: { data: {} } },
  })
  const user = userEvent.setup()
  render(
    <QueryClientProvider client={queryClient}>
      <MemoryRouter>
        <StaffContext value={ME}>
          <ToastProvider dismissLabel="Dismiss">
            <CodesPage />
          </ToastProvider>
        </StaffContext>
      </MemoryRouter>
    </QueryClientProvider>,
  )
  await user.click(await screen.findByText('SUMMER'))
  const isOn = () => screen.getByRole<HTMLInputElement>('checkbox').checked
  expect(isOn()).toBe(true)
  stored = { ...CODE, is_on: false, state: 'off', label: 'Stopped fair', version: 2 }
  await act(() => queryClient.invalidateQueries())
  await user.click(await screen.findByText('Stopped fair'))
  expect(isOn()).toBe(false)
  await user.click(screen.getByRole('button', { name: /^Save/ }))
  await screen.findByText(/saved/i)
  expect(api.seen.findLast(({ route }) => !route.startsWith('GET'))?.body).toMatchObject({ version: 2, is_on: false })
})
