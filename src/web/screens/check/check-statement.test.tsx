import { render, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, test } from 'vitest'
import type { StatementFile } from '#core/statement/statement-file.ts'
import { fakeApi } from '#test/support/fake-api.ts'
import { fileText, makeKey, OWN_KEY, ROWS, signed } from '#test/support/signed-statement.ts'
import { ToastProvider } from '#ui/toast.tsx'
import { queryClient } from '#web/api/query.tsx'
import { CheckScreen } from '#web/screens/check/check-screen.tsx'

beforeEach(() => queryClient.clear())

async function upload(file: StatementFile, keys = [OWN_KEY.key]) {
  const api = fakeApi({ 'GET /proof/keys': { body: { data: { keys } } } })
  render(
    <ToastProvider dismissLabel="Close">
      <CheckScreen params={{}} />
    </ToastProvider>,
  )
  const content = new File([fileText(file)], 'statement.json', { type: 'application/json' })
  await userEvent.setup().upload(screen.getByLabelText(/Choose or drop a file/), content)
  return api
}

test('US2.4: a signed statement is checked without sending it, and each order leads to its own check', async () => {
  const api = await upload(signed(ROWS))
  const verdict = await screen.findByRole('heading', { name: /signature, rows, sums and result numbers match/ })
  expect(verdict.closest('[role]')?.getAttribute('role')).toBe('status')
  expect(api.seen.map(({ route, query, body }) => [route, query, body])).toEqual([['GET /proof/keys', {}, undefined]])
  const rows = screen.getByRole('list', { name: 'Movements' })
  expect(within(rows).getAllByRole('listitem')).toHaveLength(ROWS.length)
  expect(
    within(rows)
      .getAllByRole('link')
      .map((link) => link.getAttribute('href')),
  ).toEqual(['/check/FW-2', '/check/FW-3', '/check/FW-4'])
  expect(screen.getByText(/proves neither that the money is held/)).toBeTruthy()
})

const file = signed(ROWS)
test.each<[string, StatementFile, typeof OWN_KEY.key, string]>([
  [
    'changed rows',
    { ...file, rows: file.rows.replace('50.00', '60.00') },
    OWN_KEY.key,
    'The rows are not the ones that were signed.',
  ],
  ['a row that was left out', signed(ROWS.slice(0, -1)), OWN_KEY.key, 'The rows do not add up to the totals.'],
  [
    'a result that was left out',
    signed(ROWS.filter(({ n }) => n !== 4)),
    OWN_KEY.key,
    /A result between the first and the last/.source,
  ],
  ['a key that is not published', file, makeKey().key, 'The statement was signed with a key that was never published.'],
])('US2.4: warns of %s', async (_, changed, key, text) => {
  await upload(changed, [key])
  const alert = await screen.findByRole('alert')
  expect(alert.textContent).toContain(text)
  expect(within(alert).getByRole('heading', { name: 'This does not match!' })).toBeTruthy()
})

test('US2.4: the check page marks each row that contradicts other rows, and shows the page with the first of them', async () => {
  const lines = file.rows.split('\r\n')
  const at = lines.findIndex((line) => line.startsWith('3,'))
  const changed = (lines[at] ?? '').replace(/-(\d+)\.\d\d/, '-999.99')
  expect(changed).not.toBe(lines[at])
  await upload({ ...file, rows: lines.with(at, changed).join('\r\n') })
  const rows = within(await screen.findByRole('list', { name: 'Movements' })).getAllByRole('listitem')
  const marked = rows.map((row) => within(row).queryByText('This row does not match') !== null)
  expect(marked).toEqual(rows.map((_, place) => place === 2))
})

test('the check page says that the check used the keys from the file when the published keys cannot be loaded', async () => {
  fakeApi({})
  render(<CheckScreen params={{}} />)
  const content = new File([fileText(file)], 'statement.json', { type: 'application/json' })
  await userEvent.setup().upload(screen.getByLabelText(/Choose or drop a file/), content)
  expect(await screen.findByText(/Anyone can make a file with their own key/)).toBeTruthy()
})
