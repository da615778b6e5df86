import { act, render, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, it, vi } from 'vitest'
import { type FakeAnswer, fakeApi } from '#test/support/fake-api.ts'
import { aUser } from '#test/support/web-fixtures.ts'
import { ToastProvider } from '#ui/toast.tsx'
import { chooseAccount, getAccount, orderSheetIsOpen, useAccount } from '#web/session/account.ts'
import { signIn, signOut } from '#web/session/session.ts'
import { PracticeSwitch } from '#web/shell/practice-switch.tsx'
import { loadPractice } from '#web/site/practice-account.ts'
import { loadSettings } from '#web/site/settings.ts'
import { AccountToasts } from '#web/toasts/account-toasts.tsx'

const NONE = { exists: false, balance: 0, open_orders: 0, granted: 0, reset_at: null, may_reset_at: null }
const OPEN = { ...NONE, exists: true, balance: 9_980.5, granted: 10_000 }

beforeEach(() => act(signOut))

/** Draws the switch of a user in live mode. */
async function draw({ user = aUser({ balance: 250 }), mode = 'live', practice = OPEN, answers = {} }: Options = {}) {
  const api = fakeApi({
    'GET /user/general-setting': { body: { data: { mode, site_name: 'Fairwick', favicon_url: '', server_time: 0 } } },
    'GET /user/practice': { body: { data: practice } },
    'POST /user/practice/open': { body: { data: { ...OPEN, balance: 10_000 } } },
    ...answers,
  })
  await loadSettings()
  if (user !== null) signIn({ token: 'T', user })
  render(
    <ToastProvider dismissLabel="Close">
      <AccountToasts />
      <PracticeSwitch hasReset />
    </ToastProvider>,
  )
  return api
}

interface Options {
  user?: ReturnType<typeof aUser> | null
  mode?: string
  practice?: typeof OPEN
  answers?: Record<string, FakeAnswer>
}

it('shows both accounts with their balances, and the live one is chosen', async () => {
  await draw()
  expect(await screen.findByRole('radio', { name: 'Live $250.00', checked: true })).toBeDefined()
  expect(await screen.findByRole('radio', { name: /^Practice P.9,980\.50$/, checked: false })).toBeDefined()
  expect(screen.getByRole('radiogroup', { name: 'Account to trade with' })).toBeDefined()
  expect(screen.queryByRole('button', { name: /Reset/ })).toBeNull()
})

it.each([
  ['a demo', { mode: 'demo' }],
  ['visitors', { user: null }],
  ['unverified users', { user: aUser({ ev: false }) }],
])('does not exist for %s', async (_, options) => {
  const { seen } = await draw(options)
  await act(async () => Promise.resolve())
  expect(screen.queryByRole('radio')).toBeNull()
  expect(seen.map(({ route }) => route)).not.toContain('GET /user/practice')
})

it('opens the practice account at its first choice, and says that practice is on', async () => {
  const { seen } = await draw({ practice: NONE })
  await userEvent.click(await screen.findByRole('radio', { name: 'Practice –' }))
  expect(await screen.findByRole('radio', { name: /^Practice P.10,000\.00$/, checked: true })).toBeDefined()
  expect(getAccount()).toBe('practice')
  expect(screen.getByText('Practice is on. Nothing in it is money.')).toBeDefined()
  expect(seen.filter(({ route }) => route === 'POST /user/practice/open')).toHaveLength(1)
  await userEvent.click(screen.getByRole('radio', { name: /^Live/ }))
  await userEvent.click(screen.getByRole('radio', { name: /^Practice/ }))
  expect(seen.filter(({ route }) => route === 'POST /user/practice/open')).toHaveLength(1)
})

it('stays with the live account when the practice account cannot be opened, and says why', async () => {
  const refused = { status: 422, body: { code: 'practice_none', message: 'Not now.' } }
  await draw({ practice: NONE, answers: { 'POST /user/practice/open': refused } })
  await userEvent.click(await screen.findByRole('radio', { name: 'Practice –' }))
  expect((await screen.findByRole('alert')).textContent).toContain('Not now.')
  expect(getAccount()).toBe('live')
})

it.each(['practice_orders_open', 'practice_too_soon'])('a reset that is refused with %s says why', async (code) => {
  const refused = { status: 422, body: { code, message: `Because of ${code}.` } }
  await draw({ answers: { 'POST /user/practice/reset': refused } })
  act(() => chooseAccount('practice'))
  await userEvent.click(await screen.findByRole('button', { name: /^Reset to Practice 10,000\.00$/ }))
  expect((await screen.findByRole('alert')).textContent).toContain(`Because of ${code}.`)
})

it('a repeated reset keeps its id until it was answered, and the balance is the start again', async () => {
  let fails = true
  const { seen } = await draw()
  const reply = vi.fn<() => FakeAnswer>(() =>
    fails ? { status: 503, body: {} } : { body: { data: { ...OPEN, balance: 10_000 } } },
  )
  const answers = fakeApi({ 'POST /user/practice/reset': reply, 'GET /user/practice': { body: { data: OPEN } } })
  act(() => chooseAccount('practice'))
  const button = await screen.findByRole('button', { name: /^Reset/ })
  await userEvent.click(button)
  await screen.findByRole('alert')
  fails = false
  await userEvent.click(button)
  expect(await screen.findByText(/The practice balance is/)).toBeDefined()
  expect(screen.getByRole('radio', { name: /^Practice P.10,000\.00$/ })).toBeDefined()
  const resets = () =>
    answers.seen
      .filter(({ route }) => route === 'POST /user/practice/reset')
      .map(({ body }) => (body as { client_request_id: string }).client_request_id)
  const ids = resets()
  expect(new Set(ids).size).toBe(1)
  await userEvent.click(button)
  await waitFor(() => expect(reply.mock.calls.length).toBeGreaterThan(ids.length))
  expect(resets()).toHaveLength(ids.length + 1)
  expect(new Set(resets()).size).toBe(2)
  expect(seen.map(({ route }) => route)).toContain('GET /user/practice')
})

it('a change with an open order sheet says that it closed the form', async () => {
  await draw()
  const practice = await screen.findByRole('radio', { name: /^Practice/ })
  act(() => orderSheetIsOpen.set(true))
  await userEvent.click(practice)
  expect(await screen.findByText('Practice is on. Nothing in it is money. The order form was closed.')).toBeDefined()
  act(() => orderSheetIsOpen.set(false))
})

it('the switch of the new screen takes the focus of the switch that the change removed', async () => {
  await draw()
  await screen.findByRole('radio', { name: /^Practice P/ })
  render(<Screen />)
  const inScreen = () => within(screen.getByRole('main')).findByRole('radio', { name: /^Practice/ })
  const first = await inScreen()
  await userEvent.click(first)
  expect(first.isConnected).toBe(false)
  expect(document.activeElement).toBe(await inScreen())
})

/** A screen that is remounted with each account, like the trade screen. */
function Screen() {
  const account = useAccount()
  return (
    <main key={account}>
      <PracticeSwitch />
    </main>
  )
}

it('parts that load the practice account at the same time share one request', async () => {
  const { seen } = await draw()
  await screen.findByRole('radio', { name: /^Practice P/ })
  await Promise.all([loadPractice(), loadPractice()])
  expect(seen.filter(({ route }) => route === 'GET /user/practice')).toHaveLength(2)
})
