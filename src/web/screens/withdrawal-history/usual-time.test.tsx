import { render, screen } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
import { fakeApi } from '#test/support/fake-api.ts'
import { queryClient, withData } from '#web/api/query.tsx'
import { UsualTime } from '#web/screens/withdrawal-history/usual-time.tsx'

const Shown = withData(() => (
  <>
    <UsualTime of="withdrawals" />
    <UsualTime of="deposits" />
  </>
))

beforeEach(() => queryClient.clear())

test('the note shows a waiting user how long withdrawals took, and shows nothing without figures', async () => {
  const window = { days: 30, done: 9, rejected: 0, rejected_by: {}, cancelled: 0 }
  const waiting = { count: 0, oldest_ms: null }
  const levelsOf = (median: number | null) => ({
    windows: [{ ...window, median_ms: median, p90_ms: median && 2 * median }],
    waiting,
  })
  const data = { withdrawals: levelsOf(3_600_000), deposits: levelsOf(null) }
  fakeApi({ 'GET /proof/service-levels': { body: { data } } })
  const { container } = render(<Shown />)
  expect(
    await screen.findByText('In the last 30 days half were done within 1 hr, nine of ten within 2 hr.'),
  ).toBeTruthy()
  expect(container.querySelectorAll('p')).toHaveLength(1)
})
