import { render, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, test } from 'vitest'
import { fakeApi } from '#test/support/fake-api.ts'
import { queryClient } from '#web/api/query.tsx'
import { NoControlScreen } from '#web/screens/no-control/no-control-screen.tsx'
import { readReport } from '#web/screens/no-control/read-report.ts'

beforeEach(() => {
  queryClient.clear()
  fakeApi({
    'GET /proof/caps': { body: { data: { caps: [], refused: [] } } },
    'GET /proof/goodwill': { body: { data: { payments: 7, payments_90_days: 2 } } },
  })
})

test('OD14.2: the screen shows the number of payments out of goodwill', async () => {
  render(<NoControlScreen />)
  expect(await screen.findByText(/goodwill: 7 in total, 2 in the last 90 days/)).toBeTruthy()
})

test('PR7: the screen shows each part of the test report collapsed below a heading of the app', async () => {
  render(<NoControlScreen />)
  const titles = within(screen.getByRole('main'))
    .getAllByRole('button')
    .map(({ textContent }) => textContent)
  expect(titles).toEqual([
    'What settles an order',
    'Protected tables: prices, orders, results, money',
    'Calls that change something',
    'When a change by staff counts',
    'Messages a browser can send on the socket',
    'Operator commands',
    'Staff permissions',
    'Site settings',
    'All other tables',
  ])
  expect(screen.queryByRole('table')).toBeNull()
  await userEvent.setup().click(screen.getByRole('button', { name: /^Protected tables/ }))
  const books = screen.getByRole('table')
  const transfers = within(books).getByRole('row', { name: /^transfer / })
  expect(
    within(transfers)
      .getAllByRole('cell')
      .map((cell) => cell.textContent),
  ).toContain('select, insert')
  expect(books.closest('[lang="en"]')?.getAttribute('dir')).toBe('ltr')
  expect(books.textContent).not.toMatch(/[`|]|<br>/)
})

test('PR7: the screen shows what the report omits, and links to ways to check', () => {
  render(<NoControlScreen />)
  expect(screen.getByRole('heading', { name: 'What it does not prove' })).toBeTruthy()
  expect(screen.getByRole('link', { name: 'Check result' }).getAttribute('href')).toBe('/check')
})

describe('a report', () => {
  test('the parsed report has the texts as they were written', () => {
    const text =
      '# T\n\nlead\n\n## One\n\nwords\n\n|a|b|\n|---|---|\n|`x`|y \\| z|\n|–|`p`: q<br>r|\n\n## Two\n\nmore\n'
    expect(readReport(text)).toEqual([
      {
        title: 'One',
        blocks: [
          { kind: 'text', text: 'words' },
          {
            kind: 'table',
            heads: ['a', 'b'],
            rows: [
              ['`x`', 'y | z'],
              ['–', '`p`: q<br>r'],
            ],
          },
        ],
      },
      { title: 'Two', blocks: [{ kind: 'text', text: 'more' }] },
    ])
  })
})
