import { act, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, test } from 'vitest'
import { fakeApi } from '#test/support/fake-api.ts'
import { aUser } from '#test/support/web-fixtures.ts'
import { queryClient } from '#web/api/query.tsx'
import { setRealityCheck, useRealityCheck } from '#web/session/reality-check.ts'
import { getSession, signIn } from '#web/session/session.ts'
import { RealityDialog } from '#web/shell/reality-dialog.tsx'

const CHECK = {
  id: '1773846000000',
  from: '2026-03-18T14:00:00.000Z',
  minutes: 60,
  ended: 14,
  staked: 320,
  net: -42,
  open: 1,
  open_stake: 10,
}

function Shown() {
  const check = useRealityCheck()
  return check && <RealityDialog check={check} />
}

beforeEach(() => {
  queryClient.clear()
  signIn({ token: 'token', user: aUser() })
  setRealityCheck(CHECK)
})

test('the dialog shows time and net result of the session, with three answers of equal weight', async () => {
  fakeApi({ 'GET /user/trade-log/recent': { body: { data: { trades: [] } } } })
  render(<Shown />)
  const dialog = await screen.findByRole('dialog', { name: 'Your session' })
  expect(dialog.textContent).toContain('You have been trading for 1 hr.')
  expect(dialog.textContent).toContain('Orders ended: 14. Staked: $320.00. Result: −$42.00. Open orders: 1.')
  const buttons = screen.getAllByRole('button')
  expect(buttons.map((button) => button.textContent)).toEqual(['Carry on', 'Take a break', 'Log out'])
  expect(new Set(buttons.map((button) => button.className)).size).toBe(1)
})

test('the dialog stays on Esc, closes by an answer, and says why an answer was not stored', async () => {
  const user = userEvent.setup()
  let isDown = true
  const api = fakeApi({
    'GET /user/trade-log/recent': { body: { data: { trades: [] } } },
    'POST /user/reality/seen': () =>
      isDown
        ? { status: 500, body: { code: 'server_error', message: 'Server Error' } }
        : { body: { data: { due_at: null } } },
  })
  render(<Shown />)
  await screen.findByRole('dialog')
  await user.keyboard('{Escape}')
  await user.click(screen.getByRole('button', { name: 'Carry on' }))
  expect(await screen.findByRole('alert')).toBeTruthy()
  expect(screen.getByRole('dialog')).toBeTruthy()
  isDown = false
  await user.click(screen.getByRole('button', { name: 'Carry on' }))
  await expect.poll(() => screen.queryByRole('dialog')).toBeNull()
  expect(api.seen.findLast(({ route }) => route.startsWith('POST'))?.body).toEqual({ id: CHECK.id })
})

test('the dialog closes when the user has answered on another device', async () => {
  fakeApi({ 'GET /user/trade-log/recent': { body: { data: { trades: [] } } } })
  render(<Shown />)
  await screen.findByRole('dialog')
  act(() => setRealityCheck(null))
  expect(screen.queryByRole('dialog')).toBeNull()
})

test('the button Log out of the dialog ends the session', async () => {
  fakeApi({
    'GET /user/trade-log/recent': { body: { data: { trades: [] } } },
    'POST /user/auth/logout': { body: { data: {} } },
  })
  render(<Shown />)
  await userEvent.click(await screen.findByRole('button', { name: 'Log out' }))
  expect(getSession()).toBeNull()
})
