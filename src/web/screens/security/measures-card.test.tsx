import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test, vi } from 'vitest'
import { withData } from '#web/api/query.tsx'
import { MeasuresCard } from '#web/screens/security/measures-card.tsx'
import { signIn } from '#web/session/session.ts'
import { fakeApi } from '#test/support/fake-api.ts'
import { aUser } from '#test/support/web-fixtures.ts'

const Shown = withData(MeasuresCard)
const AT = '2026-11-20T10:00:00.000Z'

let logIns = 0
function answer(measures: readonly object[]): void {
  // A new log-in clears the data of the previous test.
  logIns += 1
  signIn({ token: `token-${logIns}`, user: aUser() })
  fakeApi({
    'GET /user/measures': { body: { data: { measures, statement: 'head.content.signature' } } },
    'GET /user/general-setting': { body: { data: { site_name: 'Acme', mode: 'demo', server_time: 1 } } },
  })
}

test('the card states that there was never a measure', async () => {
  answer([])
  render(<Shown />)
  expect(await screen.findByText(/has never limited this account\./)).toBeDefined()
})

test('the card lists measures with value, reason and time, also ended measures', async () => {
  answer([
    { kind: 'stake_limit', value: 50, reason: 'Send papers', since: AT, until: AT, ended: null },
    { kind: 'trade_off', value: null, reason: 'A check', since: AT, until: null, ended: AT },
  ])
  render(<Shown />)
  expect(await screen.findByText('Stake limited to $50.00')).toBeDefined()
  expect(screen.getByText('Send papers')).toBeDefined()
  expect(screen.getByText('Trading off')).toBeDefined()
  expect(screen.getByText('A check')).toBeDefined()
})

test('a press downloads the signed statement exactly as the server sent it', async () => {
  let saved: Blob | null = null
  vi.spyOn(URL, 'createObjectURL').mockImplementation((blob) => {
    saved = blob as Blob
    return 'blob:1'
  })
  vi.spyOn(URL, 'revokeObjectURL').mockImplementation(() => undefined)
  answer([])
  render(<Shown />)
  await userEvent.click(await screen.findByRole('button', { name: 'Download signed statement' }))
  expect(await (saved as Blob | null)?.text()).toBe('head.content.signature')
})
