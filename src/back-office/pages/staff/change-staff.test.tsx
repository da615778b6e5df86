import { QueryClientProvider } from '@tanstack/react-query'
import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, test } from 'vitest'
import type { StaffRow } from '#contract/back-office/staff.ts'
import { fakeApi } from '#test/support/fake-api.ts'
import { ToastProvider } from '#ui/toast.tsx'
import { queryClient } from '#back-office/api/queries.ts'
import { ChangeStaff } from '#back-office/pages/staff/change-staff.tsx'

const PERSON: StaffRow = {
  id: 's2',
  name: 'xenia',
  role: 'support',
  state: 'active',
  has_second_step: true,
  mail: 'old@example.com',
  approver_since: null,
  admitted_by: 0,
  sessions: 1,
  last_seen_at: null,
  created_at: '2026-03-18T15:00:00.000Z',
  version: 5,
}

beforeEach(() => queryClient.clear())

function draw() {
  const api = fakeApi({
    'POST /admin/staff/s2/change': { body: { data: { pending: null } } },
    'POST /admin/staff/s2/reinvite': { body: { data: { pending: null } } },
  })
  const page = (person: StaffRow) => (
    <QueryClientProvider client={queryClient}>
      <ToastProvider dismissLabel="Dismiss">
        <ChangeStaff person={person} />
      </ToastProvider>
    </QueryClientProvider>
  )
  const { rerender } = render(page(PERSON))
  const sent = () => api.seen.map(({ body }) => body)
  return { user: userEvent.setup(), show: (person: StaffRow) => rerender(page(person)), sent }
}

test('F79: a button under the pointer keeps its meaning when another person changes the staff member meanwhile', async () => {
  const { user, show, sent } = draw()
  await user.type(screen.getByLabelText('Reason'), 'stolen laptop')
  show({ ...PERSON, state: 'blocked', mail: 'new@example.com', version: 6 })
  await user.click(screen.getByRole('button', { name: 'Block' }))
  expect(sent()[0]).toMatchObject({ version: 5, is_blocked: true })
})

test('F79: the form tells that the staff member was changed, and loads again on request', async () => {
  const { user, show } = draw()
  await user.type(screen.getByLabelText('Reason'), 'stolen laptop')
  show({ ...PERSON, state: 'blocked', mail: 'new@example.com', version: 6 })
  await user.click(screen.getByRole('button', { name: 'Reload' }))
  expect(screen.getByRole('button', { name: 'Unblock' })).toBeTruthy()
  expect(screen.getByLabelText<HTMLInputElement>('Reason').value).toBe('')
  expect(screen.getByDisplayValue('new@example.com')).toBeTruthy()
})

test('F79: an untouched form shows the newest values', async () => {
  const { user, show, sent } = draw()
  show({ ...PERSON, state: 'blocked', mail: 'new@example.com', version: 6 })
  expect(screen.getByDisplayValue('new@example.com')).toBeTruthy()
  await user.type(screen.getByLabelText('Reason'), 'found again')
  await user.click(screen.getByRole('button', { name: 'Unblock' }))
  expect(sent()[0]).toMatchObject({ version: 6, is_blocked: false })
})
