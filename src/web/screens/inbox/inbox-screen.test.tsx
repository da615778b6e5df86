import { act, render, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, it } from 'vitest'
import { fakeApi } from '#test/support/fake-api.ts'
import { aUser } from '#test/support/web-fixtures.ts'
import type { Reply } from '#web/api/call.ts'
import { queryClient } from '#web/api/query.tsx'
import { InboxScreen } from '#web/screens/inbox/inbox-screen.tsx'
import { tellNewNotice } from '#web/session/new-notices.ts'
import { getSession, signIn, updateUser } from '#web/session/session.ts'
import { DesktopBar } from '#web/shell/desktop-bar.tsx'

type Notice = Reply<'GET /user/notices'>['notices'][number]

const PAID: Notice = {
  id: '0195a000-0000-7000-8000-000000000001',
  kind: 'withdrawal_paid',
  at: '2026-03-18T15:00:00.000Z',
  read: false,
  title: 'Withdrawal paid',
  text: '$20.00 · Bank transfer',
  link: '/history/withdrawal',
}
const MAIL = {
  topics: [
    { topic: 'deposits', mail: true, fixed: false, inbox: true },
    { topic: 'withdrawals', mail: true, fixed: true, inbox: true },
    { topic: 'orders', mail: false, fixed: false, inbox: true },
    { topic: 'results', mail: false, fixed: false, inbox: true },
  ],
}
const PUSH = { key: 'K', devices: [], topics: [] }
const page = (notices: Notice[], more: object = {}) => ({
  body: { data: { notices, unread: notices.filter(({ read }) => !read).length, next: null, newest: 'N', ...more } },
})

beforeEach(() => {
  queryClient.clear()
  signIn({ token: 'T1', user: aUser({ email: 'ada@example.com', unread_notices: 1 }) })
})

it('the screen shows for each notice what happened, when, and where the notice leads, and marks all as read', async () => {
  let isRead = false
  const { seen } = fakeApi({
    'GET /user/notices': () => page([{ ...PAID, read: isRead }]),
    'GET /user/notices/mail': { body: { data: MAIL } },
    'GET /user/push': { body: { data: PUSH } },
    'POST /user/notices/read': () => {
      isRead = true
      return { body: { data: { unread: 0 } } }
    },
  })
  render(<InboxScreen />)
  const row = await screen.findByRole('link', { name: /Withdrawal paid.*\$20\.00.*Unread/s })
  expect(row.getAttribute('href')).toBe('/history/withdrawal')
  await userEvent.click(screen.getByRole('button', { name: 'Mark all read' }))
  expect(await screen.findByRole('link', { name: /Withdrawal paid(?!.*Unread)/s })).toBeTruthy()
  expect(seen.find(({ route }) => route.startsWith('POST'))?.body).toEqual({ until: 'N' })
  expect(getSession()?.user.unread_notices).toBe(0)
  expect(screen.queryByRole('button', { name: 'Mark all read' })).toBeNull()
})

it('a notice is marked as read when the user opens it', async () => {
  const { seen } = fakeApi({
    'GET /user/notices': page([PAID]),
    'GET /user/notices/mail': { body: { data: MAIL } },
    'GET /user/push': { body: { data: PUSH } },
    'POST /user/notices/read': { body: { data: { unread: 0 } } },
  })
  render(<InboxScreen />)
  await userEvent.click(await screen.findByRole('link', { name: /Withdrawal paid/ }))
  expect(seen.find(({ route }) => route.startsWith('POST'))?.body).toEqual({ ids: [PAID.id] })
})

it('the screen shows older notices on request, from where the page ends', async () => {
  const older = { ...PAID, id: '0195a000-0000-7000-8000-000000000002', title: 'Deposit credited', read: true }
  fakeApi({
    'GET /user/notices': ({ query }) => (query.before === 'P2' ? page([older]) : page([PAID], { next: 'P2' })),
    'GET /user/notices/mail': { body: { data: MAIL } },
    'GET /user/push': { body: { data: PUSH } },
  })
  render(<InboxScreen />)
  await userEvent.click(await screen.findByRole('button', { name: 'Show older' }))
  expect(await screen.findByRole('link', { name: /Deposit credited/ })).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'Show older' })).toBeNull()
})

it('the screen loads the list again when the server announces a notice', async () => {
  let notices: Notice[] = []
  fakeApi({
    'GET /user/notices': () => page(notices),
    'GET /user/notices/mail': { body: { data: MAIL } },
    'GET /user/push': { body: { data: PUSH } },
  })
  render(<InboxScreen />)
  expect(await screen.findByText(/Nothing yet/)).toBeTruthy()
  notices = [PAID]
  act(() => updateUser({ unread_notices: 2 }))
  expect(await screen.findByRole('link', { name: /Withdrawal paid/ })).toBeTruthy()
})

it('the screen loads the list again when another tab has marked a notice as read', async () => {
  let isRead = false
  fakeApi({
    'GET /user/notices': () => page([{ ...PAID, read: isRead }]),
    'GET /user/notices/mail': { body: { data: MAIL } },
    'GET /user/push': { body: { data: PUSH } },
  })
  render(<InboxScreen />)
  expect(await screen.findByRole('button', { name: 'Mark all read' })).toBeTruthy()
  isRead = true
  act(() => updateUser({ unread_notices: 0 }))
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Mark all read' })).toBeNull())
})

it('the screen loads the list again for a new notice, although the count of unread notices is unchanged', async () => {
  let notices: Notice[] = []
  fakeApi({
    'GET /user/notices': () => page(notices),
    'GET /user/notices/mail': { body: { data: MAIL } },
    'GET /user/push': { body: { data: PUSH } },
  })
  render(<InboxScreen />)
  expect(await screen.findByText(/Nothing yet/)).toBeTruthy()
  notices = [PAID]
  act(tellNewNotice)
  expect(await screen.findByRole('link', { name: /Withdrawal paid/ })).toBeTruthy()
})

it('the screen says why the list is missing, and tries again', async () => {
  let isDown = true
  fakeApi({
    'GET /user/notices': () => (isDown ? { status: 422, body: { code: 'x', message: 'Too much' } } : page([PAID])),
    'GET /user/notices/mail': { body: { data: MAIL } },
    'GET /user/push': { body: { data: PUSH } },
  })
  render(<InboxScreen />)
  expect(await screen.findByText(/Too much/)).toBeTruthy()
  isDown = false
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }))
  expect(await screen.findByRole('link', { name: /Withdrawal paid/ })).toBeTruthy()
})

it('a switch turns the mail of a topic off, and topics that are always mailed have no switch', async () => {
  const { seen } = fakeApi({
    'GET /user/notices': page([]),
    'GET /user/notices/mail': { body: { data: MAIL } },
    'GET /user/push': { body: { data: PUSH } },
    'POST /user/notices/mail': {
      body: {
        data: { topics: [{ topic: 'deposits', mail: false, fixed: false, inbox: true }, ...MAIL.topics.slice(1)] },
      },
    },
  })
  render(<InboxScreen />)
  await userEvent.click(await screen.findByRole('switch', { name: 'Deposits' }))
  expect(seen.find(({ route }) => route.startsWith('POST'))?.body).toEqual({
    topic: 'deposits',
    mail: false,
    inbox: true,
  })
  expect(await screen.findByRole('switch', { name: 'Deposits', checked: false })).toBeTruthy()
  expect(screen.getAllByRole('switch').map((one) => one.getAttribute('aria-label'))).toEqual([
    'Deposits',
    'Void orders',
    'Ended orders',
    'Ended orders in the inbox',
  ])
})

it('the screen shows users the number of unread notices in the header', () => {
  signIn({ token: 'T1', user: aUser({ unread_notices: 12 }) })
  render(<DesktopBar items={[]} />)
  const bell = screen.getByRole('link', { name: 'Inbox, 12 unread' })
  expect(within(bell).getByText('9+')).toBeTruthy()
  act(() => updateUser({ unread_notices: 0 }))
  expect(screen.getByRole('link', { name: 'Inbox' })).toBeTruthy()
})

it('a user without an email address reads that nothing is mailed, and chooses only what the inbox shows', async () => {
  signIn({ token: 'T2', user: aUser({ email: null }) })
  fakeApi({
    'GET /user/notices': page([]),
    'GET /user/notices/mail': { body: { data: MAIL } },
    'GET /user/push': { body: { data: PUSH } },
  })
  render(<InboxScreen />)
  expect(await screen.findByText('Notices are only mailed to accounts with an email address.')).toBeTruthy()
  expect(screen.getByRole('switch', { name: 'Ended orders in the inbox' })).toBeTruthy()
  expect(screen.queryByRole('switch', { name: 'Deposits' })).toBeNull()
  expect(screen.queryByText(/always mailed/)).toBeNull()
})
