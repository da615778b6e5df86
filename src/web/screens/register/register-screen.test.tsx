import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, test } from 'vitest'
import { fakeApi } from '#test/support/fake-api.ts'
import { noteOf, serveRegister, treeOf } from '#test/support/fake-register.ts'
import { queryClient } from '#web/api/query.tsx'
import { lookAtRegister } from '#web/register/look-at-register.ts'
import { forgetSeenStates, seenStates } from '#web/register/seen-states.ts'
import { RegisterScreen } from '#web/screens/register/register-screen.tsx'

beforeEach(() => {
  queryClient.clear()
  forgetSeenStates()
})

test('the page remembers the register states that it has seen, and raises no alarm while the register grows', async () => {
  for (const size of [3, 3, 8, 70]) {
    await serveRegister(treeOf('entry', size))
    await lookAtRegister()
  }
  expect(seenStates()).toMatchObject({ alarm: null, notes: [expect.anything(), expect.anything(), expect.anything()] })
})

test.each([
  ['another tree of the same size', 8, 'other', 8],
  ['a larger tree with other entries', 8, 'other', 20],
  ['a smaller tree', 8, 'entry', 5],
])('A39: attack: two logs for two people: %s raises an alarm that stays', async (_, size, word, nextSize) => {
  await serveRegister(treeOf('entry', size))
  await lookAtRegister()
  await serveRegister(treeOf(word, nextSize))
  await lookAtRegister()
  expect(seenStates().alarm).toMatchObject({ kind: 'conflict' })
  await serveRegister(treeOf('entry', 30))
  await lookAtRegister()
  expect(seenStates().alarm).toMatchObject({ kind: 'conflict' })
})

test('a connection that breaks raises no alarm', async () => {
  await serveRegister(treeOf('entry', 8))
  await lookAtRegister()
  const note = await noteOf(treeOf('entry', 20))
  fakeApi({
    'GET /register/checkpoint': { text: note },
    'GET /proof/register': { body: { data: { keys: [] } } },
    'GET /proof/register/consistency': { status: 503, body: {} },
  })
  await lookAtRegister()
  expect(seenStates()).toMatchObject({ alarm: null, notes: [expect.anything()] })
})

test('the page compares the register with a state from another user', async () => {
  await serveRegister(treeOf('entry', 8))
  render(<RegisterScreen />)
  const field = await screen.findByLabelText('State of the other person')
  const compare = async (note: string): Promise<void> => {
    await userEvent.clear(field)
    await userEvent.click(field)
    await userEvent.paste(note)
    await userEvent.click(screen.getByRole('button', { name: 'Compare' }))
  }
  await compare(await noteOf(treeOf('entry', 5)))
  expect(await screen.findByText('Both states belong to the same register.')).toBeTruthy()
  await compare(await noteOf(treeOf('other', 5)))
  expect(await screen.findByText(/You are shown different registers/)).toBeTruthy()
  await compare('words')
  expect(await screen.findByText('This is not a signed state of this register.')).toBeTruthy()
})

test('A39: the page says when the server gave no proof to compare the states', async () => {
  await serveRegister(treeOf('entry', 8))
  render(<RegisterScreen />)
  const field = await screen.findByLabelText('State of the other person')
  await serveRegister(treeOf('entry', 8), { proof: { status: 503, body: {} } })
  await userEvent.click(field)
  await userEvent.paste(await noteOf(treeOf('entry', 5)))
  await userEvent.click(screen.getByRole('button', { name: 'Compare' }))
  expect(await screen.findByText('unable to load data, try again later')).toBeTruthy()
})

test('the page says that there is no other witness, and offers a retry after an error', async () => {
  await serveRegister(treeOf('entry', 8))
  const { unmount } = render(<RegisterScreen />)
  expect(await screen.findByText('Nobody else watches this register yet.')).toBeTruthy()
  unmount()
  queryClient.clear()
  fakeApi({
    'GET /proof/register': {
      status: 404,
      body: { code: 'register_empty', message: 'The register has not begun yet.' },
    },
  })
  render(<RegisterScreen />)
  expect(await screen.findByRole('button', { name: 'Try again' })).toBeTruthy()
})
