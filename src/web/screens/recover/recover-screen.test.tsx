import { render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, test } from 'vitest'
import { fakeApi } from '#test/support/fake-api.ts'
import { ToastProvider } from '#ui/toast.tsx'
import { queryClient } from '#web/api/query.tsx'
import { RecoverScreen } from '#web/screens/recover/recover-screen.tsx'
import { StopRecoveryScreen } from '#web/screens/stop-recovery/stop-recovery-screen.tsx'

beforeEach(() => queryClient.clear())

const show = (screenOf: typeof RecoverScreen | typeof StopRecoveryScreen) => {
  const Shown = screenOf
  render(
    <ToastProvider dismissLabel="Close">
      <Shown params={{ token: 'T' }} />
    </ToastProvider>,
  )
}

test('a recovery sets a new password, and a new PIN only if the PIN is lost', async () => {
  const api = fakeApi({
    'GET /recovery/T': { body: { data: { recovery: { username: 'ada', lost: ['second_step'] } } } },
    'POST /recovery/T': { body: { data: {} } },
  })
  show(RecoverScreen)
  expect(await screen.findByText('New access for ada')).toBeTruthy()
  expect(screen.getByText(/Your second step is removed/)).toBeTruthy()
  expect(screen.queryByLabelText('New PIN')).toBeNull()
  await userEvent.type(screen.getByLabelText('New password'), 'plain-words')
  await userEvent.type(screen.getByLabelText('Confirm new password'), 'other-words')
  await userEvent.click(screen.getByRole('button', { name: 'Recover account' }))
  expect(api.seen.map(({ route }) => route)).toEqual(['GET /recovery/T'])
  await userEvent.clear(screen.getByLabelText('Confirm new password'))
  await userEvent.type(screen.getByLabelText('Confirm new password'), 'plain-words')
  await userEvent.click(screen.getByRole('button', { name: 'Recover account' }))
  await waitFor(() => expect(api.seen.at(-1)).toMatchObject({ route: 'POST /recovery/T' }))
  expect(api.seen.at(-1)?.body).toMatchObject({ password: 'plain-words', password_confirmation: 'plain-words' })
})

test('F27: a recovery shows above its button how long withdrawals are blocked', async () => {
  fakeApi({ 'GET /recovery/T': { body: { data: { recovery: { username: 'ada', lost: [] } } } } })
  show(RecoverScreen)
  const press = await screen.findByRole('button', { name: 'Recover account' })
  const note = screen.getByText('This change pauses withdrawals for 168 h.')
  expect(note.compareDocumentPosition(press) & Node.DOCUMENT_POSITION_FOLLOWING).toBeTruthy()
})

test('the screen says that a link is no longer valid', async () => {
  fakeApi({ 'GET /recovery/T': { body: { data: { recovery: null } } } })
  show(RecoverScreen)
  expect(await screen.findByText(/This link was used, has expired or was stopped/)).toBeTruthy()
})

test('opening the link stops no recovery: only a press on the button does', async () => {
  const api = fakeApi({ 'POST /recovery/stop/T': { body: { data: {} } } })
  show(StopRecoveryScreen)
  expect(api.seen).toEqual([])
  await userEvent.click(screen.getByRole('button', { name: 'This was not me' }))
  expect(await screen.findByText('The recovery was stopped. Nothing has changed.')).toBeTruthy()
})
