import { act, render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, test } from 'vitest'
import type { TicketOut } from '#contract/tickets.ts'
import { fakeApi } from '#test/support/fake-api.ts'
import { aUser } from '#test/support/web-fixtures.ts'
import { ToastProvider } from '#ui/toast.tsx'
import { queryClient } from '#web/api/query.tsx'
import { NewTicketScreen } from '#web/screens/tickets/new-ticket-screen.tsx'
import { TicketScreen } from '#web/screens/tickets/ticket-screen.tsx'
import { TicketsScreen } from '#web/screens/tickets/tickets-screen.tsx'
import { setAddress } from '#web/session/location.ts'
import { tellNewNotice } from '#web/session/new-notices.ts'
import { signIn } from '#web/session/session.ts'

const NO = 'T-0TXWD-7Q4M2-9A3BK'
const ORDER = 'FW-0TXWD-7Q4M2-9A3BK'
const AT = '2026-03-18T15:00:00.000Z'
const TICKET: TicketOut = {
  no: NO,
  about_kind: 'order',
  about: ORDER,
  topic: 'result',
  state: 'waiting_user',
  opened_at: AT,
  last_at: AT,
  reopens_until: null,
  verdict: 'correct',
  messages: [
    { seq: 1, by: 'user', words: '<b>Wrong</b> result', pictures: 2, verdict: null, at: AT },
    { seq: 2, by: 'staff', words: 'The exit was 94,000.50.', pictures: 0, verdict: 'correct', at: AT },
  ],
}

beforeEach(() => {
  queryClient.clear()
  signIn({ token: 'T1', user: aUser() })
})

function draw(Screen: React.ComponentType<{ params: Record<string, string> }>, params = {}) {
  return render(
    <ToastProvider dismissLabel="Dismiss">
      <Screen params={params} />
    </ToastProvider>,
  )
}

test('OD14.1: a ticket about the order that the address names is sent with its topic and text', async () => {
  setAddress(`/tickets/new?of=order&trx=${ORDER}`)
  const { seen } = fakeApi({ 'POST /user/tickets': { body: { data: { ticket: TICKET } } } })
  draw(NewTicketScreen)
  expect(screen.getByText(`Order ${ORDER}`)).toBeTruthy()
  await userEvent.selectOptions(screen.getByLabelText('What is it about?'), 'A price')
  await userEvent.type(screen.getByLabelText(/What happened/), 'Too short')
  await userEvent.click(screen.getByRole('button', { name: 'Send' }))
  expect(screen.getByText('Write at least 20 characters')).toBeTruthy()
  expect(seen).toEqual([])
  await userEvent.type(screen.getByLabelText(/What happened/), ' until I write more.')
  await userEvent.click(screen.getByRole('button', { name: 'Send' }))
  await waitFor(() => expect(globalThis.location.pathname).toBe(`/tickets/${NO}`))
  expect(seen[0]?.body).toMatchObject({ about_kind: 'order', about: ORDER, topic: 'price', words: /^Too short until/ })
})

test('OD14.2: a ticket shows messages as text, the verdict, and a link to check the order without us', async () => {
  fakeApi({ [`GET /user/tickets/${NO}`]: { body: { data: { ticket: TICKET } } } })
  const { container } = draw(TicketScreen, { no: NO })
  expect(await screen.findByText('<b>Wrong</b> result')).toBeTruthy()
  expect(container.querySelector('li b')?.textContent).toBe('You')
  expect(screen.getByText('Pictures: 2')).toBeTruthy()
  expect(screen.getAllByText('As it should be')).toHaveLength(2)
  expect(screen.getByText(/never changes a result/)).toBeTruthy()
  expect(screen.getByRole('link', { name: /Check this result/ }).getAttribute('href')).toBe(`/check/${ORDER}`)
})

test('14.1: a closed ticket says until when a message opens it again, and later that it stays closed', async () => {
  const closed = (until: number) => ({ ...TICKET, state: 'closed', reopens_until: new Date(until).toISOString() })
  let ticket = closed(Date.now() + 86_400_000)
  fakeApi({ [`GET /user/tickets/${NO}`]: () => ({ body: { data: { ticket } } }) })
  const { unmount } = draw(TicketScreen, { no: NO })
  expect(await screen.findByText(/^Send a message before .+ to open this ticket again/)).toBeTruthy()
  expect(screen.getByRole('button', { name: 'Send message' })).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'Close ticket' })).toBeNull()
  unmount()
  ticket = closed(Date.now() - 86_400_000)
  queryClient.clear()
  draw(TicketScreen, { no: NO })
  expect(await screen.findByText('This ticket cannot be opened again.')).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'Send message' })).toBeNull()
})

test('the screen lists tickets with their state and what they are about, and offers a blocked user no new ticket', async () => {
  signIn({ token: 'T1', user: aUser({ leaving: { reason: 'x', closed_at: null } }) })
  const { messages: _, ...row } = TICKET
  const meta = { page: 1, per_page: 10, total: 1, pages: 1 }
  fakeApi({ 'GET /user/tickets': { body: { data: { tickets: [row] }, meta } } })
  draw(TicketsScreen)
  const link = await screen.findByRole('link', { name: /The result.*Order FW-0TXWD.*Answered/s })
  expect(link.getAttribute('href')).toBe(`/tickets/${NO}`)
  expect(screen.queryByRole('link', { name: 'Something is wrong' })).toBeNull()
})

test('OD14.3: a reply of the staff leaves the message that the user is typing', async () => {
  let messages = TICKET.messages
  fakeApi({ [`GET /user/tickets/${NO}`]: () => ({ body: { data: { ticket: { ...TICKET, messages } } } }) })
  draw(TicketScreen, { no: NO })
  await userEvent.type(await screen.findByRole('textbox'), 'Half a message')
  messages = [...messages, { seq: 3, by: 'staff', words: 'One more thing.', pictures: 0, verdict: null, at: AT }]
  act(() => tellNewNotice())
  expect(await screen.findByText('One more thing.')).toBeTruthy()
  expect(screen.getByRole<HTMLTextAreaElement>('textbox').value).toBe('Half a message')
})

test.each([
  [null, 'Describe what is wrong. Our team replies here.'],
  ['ada@example.com', 'Describe what is wrong. Our team replies here and by mail.'],
])('OD14.4: a new ticket of a user with the address %s says where the reply comes', (email, intro) => {
  signIn({ token: 'T1', user: aUser({ email }) })
  setAddress('/tickets/new')
  draw(NewTicketScreen)
  expect(screen.getByText(intro)).toBeTruthy()
})
