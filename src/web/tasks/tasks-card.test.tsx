import { render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, test } from 'vitest'
import type { TaskOut } from '#contract/tasks.ts'
import { fakeApi, type FakeAnswer } from '#test/support/fake-api.ts'
import { aUser } from '#test/support/web-fixtures.ts'
import { queryClient, withData } from '#web/api/query.tsx'
import { getSession, signIn } from '#web/session/session.ts'
import { TasksCard } from '#web/tasks/tasks-card.tsx'

const Shown = withData(TasksCard)
beforeEach(() => {
  queryClient.clear()
  signIn({ token: 'T', user: aUser({ points: 0 }) })
})

const task = (rest: Partial<TaskOut>): TaskOut => ({
  key: 'deposit',
  title: 'Make a first deposit',
  amount: 1500,
  progress: 0,
  goal: 1,
  paid_at: null,
  ...rest,
})
const answer = (tasks: TaskOut[], earned: number): FakeAnswer => ({
  body: { data: { tasks, earned, total: 6666, points: earned } },
})

test('the card shows the reward and progress of each task, and stores the credits from the reply', async () => {
  const paid = task({
    key: 'verify',
    title: 'Verify your account',
    amount: 666,
    progress: 1,
    paid_at: '2026-11-21T00:00:00.000Z',
  })
  const days = task({ key: 'days', title: 'Trade on three days', amount: 2000, progress: 1, goal: 3 })
  fakeApi({ 'GET /user/tasks': answer([paid, task({}), days], 666) })
  render(<Shown />)
  expect(await screen.findByText('666 of 6,666 credits')).toBeTruthy()
  expect(screen.queryByRole('link', { name: /Verify/ })).toBeNull()
  expect(screen.getByRole('link', { name: /Make a first deposit/ }).getAttribute('href')).toBe('/deposit')
  expect(screen.getByText('1 of 3')).toBeTruthy()
  expect(screen.getByText('1 of 3 tasks done')).toBeTruthy()
  await waitFor(() => expect(getSession()?.user.points).toBe(666))
})

test('the card disappears when all tasks are paid', async () => {
  const { seen } = fakeApi({ 'GET /user/tasks': answer([task({ paid_at: '2026-11-21T00:00:00.000Z' })], 6666) })
  const { container } = render(<Shown />)
  await waitFor(() => expect(seen).toHaveLength(1))
  await waitFor(() => expect(container.textContent).toBe(''))
})

test('the card shows a loading failure and offers a retry', async () => {
  let isUp = false
  fakeApi({
    'GET /user/tasks': () =>
      isUp ? answer([task({})], 0) : { status: 422, body: { message: 'Not now', code: 'busy' } },
  })
  render(<Shown />)
  expect(await screen.findByText('Not now')).toBeTruthy()
  isUp = true
  await userEvent.setup().click(screen.getByRole('button', { name: 'Try again' }))
  expect(await screen.findByText('Make a first deposit')).toBeTruthy()
})
