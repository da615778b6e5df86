import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, test } from 'vitest'
import type { KeyRow } from '#contract/keys.ts'
import { fakeApi } from '#test/support/fake-api.ts'
import { queryClient } from '#web/api/query.tsx'
import { KeysScreen } from '#web/screens/keys/keys-screen.tsx'

beforeEach(() => queryClient.clear())

const KEY: KeyRow = {
  id: '0123456789abcdef',
  name: 'my bot',
  scope: 'read',
  addresses: [],
  max_stake: null,
  max_stake_day: null,
  max_open_orders: null,
  created_at: '2026-11-21T10:00:00.000Z',
  expires_at: '2026-12-21T10:00:00.000Z',
  used_at: '2026-11-22T10:00:00.000Z',
  used_address: '192.0.2.7',
  used_client: 'my-bot/1.0',
  orders_today: 3,
}

test('on a live site the screen says that keys can only read, and offers no key that can trade', async () => {
  fakeApi({ 'GET /user/keys': { body: { data: { account: 'live', keys: [] } } } })
  render(<KeysScreen />)
  expect(await screen.findByText(/^This is a live site, where keys can only read/)).toBeTruthy()
  await userEvent.click(screen.getByRole('button', { name: 'Make a key' }))
  expect(screen.getByRole('radio', { name: /^Read and trade/ })).toHaveProperty('disabled', true)
})

test('the screen lists the limits and addresses of each key', async () => {
  const keys: KeyRow[] = [
    {
      ...KEY,
      scope: 'trade',
      addresses: ['192.0.2.0/24', '2001:db8::1'],
      max_stake: 5.5,
      max_stake_day: 1_200,
      max_open_orders: 3,
    },
    { ...KEY, id: 'fedcba9876543210', name: 'free', scope: 'trade', max_stake: null },
    { ...KEY, id: '00000000000000aa', name: 'reader' },
  ]
  fakeApi({ 'GET /user/keys': { body: { data: { account: 'demo', keys } } } })
  render(<KeysScreen />)
  const plain = (text: string | null) => (text ?? '').replaceAll(/[\u2066\u2069]/g, '')
  const [limited, free, reader] = (await screen.findAllByRole('listitem')).map((row) => plain(row.textContent))
  expect(limited).toContain('Maximum stake: $5.50 · Maximum stakes per day: $1,200.00 · Maximum open orders: 3')
  expect(limited).toContain('Addresses: 192.0.2.0/24, 2001:db8::1')
  expect(free).toContain('No limits of its own')
  expect(free).toContain('From everywhere')
  expect(reader).not.toContain('limits')
})

test.each([
  ['0', 'Enter an amount above zero'],
  ['0.00', 'Enter an amount above zero'],
  ['1.234', /2 decimals/],
])('the screen refuses a limit of %s in its field', async (typed, problem) => {
  fakeApi({ 'GET /user/keys': { body: { data: { account: 'demo', keys: [] } } } })
  render(<KeysScreen />)
  await userEvent.click(await screen.findByRole('button', { name: 'Make a key' }))
  await userEvent.type(screen.getByLabelText('Name'), 'second')
  await userEvent.click(screen.getByRole('radio', { name: /^Read and trade/ }))
  await userEvent.type(screen.getByLabelText('Maximum stake'), typed)
  await userEvent.tab()
  expect(await screen.findByText(problem)).toBeTruthy()
  expect(screen.getByRole('button', { name: 'Continue' })).toHaveProperty('disabled', true)
})

test.each(['0', '-5', '1.5', 'x'])('the screen refuses %s open orders in its field', async (typed) => {
  fakeApi({ 'GET /user/keys': { body: { data: { account: 'demo', keys: [] } } } })
  render(<KeysScreen />)
  await userEvent.click(await screen.findByRole('button', { name: 'Make a key' }))
  await userEvent.click(screen.getByRole('radio', { name: /^Read and trade/ }))
  await userEvent.type(screen.getByLabelText('Maximum open orders'), typed)
  await userEvent.tab()
  expect(await screen.findByText('Enter a whole number from 1 to 1,000,000')).toBeTruthy()
})

test('the screen sends the limits and addresses that were typed', async () => {
  const { seen } = fakeApi({
    'GET /user/keys': { body: { data: { account: 'demo', keys: [KEY] } } },
    'POST /user/keys': { body: { data: { id: KEY.id, secret: 'fwk_shown' } } },
  })
  render(<KeysScreen />)
  expect(await screen.findByText('192.0.2.7')).toBeTruthy()
  await userEvent.click(screen.getByRole('button', { name: 'Make a key' }))
  await userEvent.type(screen.getByLabelText('Name'), 'second')
  await userEvent.click(screen.getByRole('radio', { name: /^Read and trade/ }))
  await userEvent.type(screen.getByLabelText('Maximum stakes per day'), '12.50')
  await userEvent.type(screen.getByLabelText('Maximum open orders'), '4')
  await userEvent.click(screen.getByRole('button', { name: 'Continue' }))
  await userEvent.type(screen.getByLabelText('Addresses'), '192.0.2.7 2001:db8::/32')
  await userEvent.selectOptions(screen.getByLabelText('Days until the end'), '30')
  await userEvent.click(screen.getByRole('button', { name: 'Continue' }))
  await userEvent.click(screen.getAllByRole('button', { name: 'Make a key' }).at(-1) ?? document.body)
  expect(await screen.findByText('fwk_shown')).toBeTruthy()
  expect(seen.find(({ route }) => route === 'POST /user/keys')?.body).toEqual({
    name: 'second',
    scope: 'trade',
    days: 30,
    addresses: ['192.0.2.7', '2001:db8::/32'],
    anywhere: false,
    max_stake: null,
    max_stake_day: '12.50',
    max_open_orders: 4,
  })
})
