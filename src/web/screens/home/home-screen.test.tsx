import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, test } from 'vitest'
import type { HomeContent } from '#contract/content.ts'
import { fakeApi } from '#test/support/fake-api.ts'
import { HomeScreen } from '#web/screens/home/home-screen.tsx'
import { signOut } from '#web/session/session.ts'

beforeEach(() => signOut())

const content = (rest: Partial<HomeContent> = {}): { body: { data: HomeContent } } => ({
  body: {
    data: {
      banners: [{ key: 'a', icon: 'news', title: 'A banner', text: 'Its text', link: '/page/rules' }],
      questions: [
        { key: 'one', title: 'First?', text: 'Yes, **first**.' },
        { key: 'two', title: 'Second?', text: 'Yes, second.' },
      ],
      links: { stream: 'https://stream.example/', chatroom: '', support: 'https://help.example/' },
      figures: { markets: 32, operating_since: '2026-11-21', proofs_since: '', bonus: 6666, tasks: 6 },
      ...rest,
    },
  },
})

test("the home page shows the operator's content with the figures of the site", async () => {
  fakeApi({ 'GET /user/home': content() })
  render(<HomeScreen />)
  expect(await screen.findByText('Up to 6,666 credits for new users')).toBeTruthy()
  expect(screen.getByText(/on 32 crypto, US stock and forex markets/)).toBeTruthy()
  expect(screen.getByRole('link', { name: /Live stream/ }).getAttribute('target')).toBe('_blank')
  expect(screen.queryByText(/Chatroom/), 'F38: what the operator has not set is not shown').toBeNull()
  const support = screen.getByRole('link', { name: 'Help & Support' })
  expect([support.getAttribute('href'), support.getAttribute('target')]).toEqual(['https://help.example/', '_blank'])
})

test('SC3, F38: the home page shows the cards for stream and chatroom once the operator has set their links', async () => {
  const links = { stream: 'https://stream.example/', chatroom: 'https://chat.example/', support: '' }
  fakeApi({ 'GET /user/home': content({ links }) })
  render(<HomeScreen />)
  expect(await screen.findByRole('link', { name: /Chatroom/ })).toBeTruthy()
  for (const name of [/^Posts/, /Live stream/]) expect(screen.getByRole('link', { name })).toBeTruthy()
})

test('only one answer is open at a time', async () => {
  fakeApi({ 'GET /user/home': content() })
  render(<HomeScreen />)
  const first = await screen.findByRole('button', { name: 'First?' })
  const second = screen.getByRole('button', { name: 'Second?' })
  await userEvent.setup().click(second)
  expect([first, second].map((button) => button.getAttribute('aria-expanded'))).toEqual(['false', 'true'])
})

test('the home page promises no bonus without paid tasks, and leaves out missing content', async () => {
  const figures = { markets: 0, operating_since: '', proofs_since: '', bonus: 0, tasks: 0 }
  fakeApi({ 'GET /user/home': content({ banners: [], questions: [], figures }) })
  render(<HomeScreen />)
  expect(await screen.findByRole('link', { name: 'Help & Support' })).toBeTruthy()
  expect(screen.queryByText(/credits for new users/)).toBeNull()
})

test('the home page works without the server, and a press on Try again loads its content', async () => {
  const answers: Parameters<typeof fakeApi>[0] = {}
  fakeApi(answers)
  render(<HomeScreen />)
  expect(screen.getAllByRole('link', { name: 'Create account' })[0]).toBeTruthy()
  const [again] = await screen.findAllByRole('button', { name: 'Try again' })
  answers['GET /user/home'] = content()
  if (again) await userEvent.setup().click(again)
  expect(await screen.findByText('A banner')).toBeTruthy()
})
