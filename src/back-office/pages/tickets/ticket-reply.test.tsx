import { act, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { drawForStaff } from '#test/support/draw-for-staff.tsx'
import { fakeApi } from '#test/support/fake-api.ts'
import { queryClient } from '#back-office/api/queries.ts'
import { TicketDetail } from '#back-office/pages/tickets/ticket-detail.tsx'

const REPLY = 'The reply that is being written'

/** Draws a ticket with three messages, and returns a function that adds a fourth message of the user. */
async function draw(answer: { status?: number; body: unknown }) {
  let last = 3
  const { seen } = fakeApi({
    'GET /admin/tickets/T-1': () => ({
      body: {
        data: {
          no: 'T-1',
          about_kind: 'account',
          about: '',
          topic: 'other',
          state: 'open',
          user_id: '7',
          username: 'alice',
          owner: null,
          owner_id: null,
          opened_at: '2026-01-01T00:00:00.000Z',
          last_at: '2026-01-01T00:00:00.000Z',
          due_at: null,
          is_overdue: false,
          verdict: null,
          closed_by: null,
          last,
          messages: [],
          remarks: [],
          people: [],
          may_answer: true,
          may_decide: false,
        },
      },
    }),
    'POST /admin/tickets/T-1/answer': () => {
      last = 4
      return answer
    },
  })
  drawForStaff(<TicketDetail no="T-1" onClose={() => {}} />)
  const user = userEvent.setup()
  await user.type(await screen.findByRole('textbox', { name: 'Reply to the user' }), REPLY)
  const writeElsewhere = async () => {
    last = 4
    await act(() => queryClient.invalidateQueries({ queryKey: ['tickets'] }))
  }
  return { user, writeElsewhere, seen }
}

test('OD14.3: a reply that is being written stays when the user writes meanwhile, with a notice of the new message', async () => {
  const { writeElsewhere } = await draw({ body: { data: null } })
  await writeElsewhere()
  expect(await screen.findByText('There is a new message since you began to write.')).toBeTruthy()
  expect(screen.getByDisplayValue(REPLY)).toBeTruthy()
})

test('OD14.3: a reply that is refused because of a new message stays, and its refusal is shown', async () => {
  const body = { message: 'The ticket has changed.', code: 'content_changed', errors: {} }
  const { user } = await draw({ status: 409, body })
  await user.click(screen.getByRole('button', { name: 'Send reply' }))
  expect(await screen.findByText('The ticket has changed.')).toBeTruthy()
  expect(screen.getByDisplayValue(REPLY)).toBeTruthy()
})

test('OD14.3: the field of a reply is empty after the reply is sent', async () => {
  const { user } = await draw({ body: { data: null } })
  await user.click(screen.getByRole('button', { name: 'Send reply' }))
  await waitFor(() => expect(screen.queryByDisplayValue(REPLY)).toBeNull())
  expect(screen.queryByText('There is a new message since you began to write.')).toBeNull()
})
