import { render, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { StakeLimits } from '#web/screens/trade/stake-limits.tsx'
import { signIn } from '#web/session/session.ts'
import { aUser } from '#test/support/web-fixtures.ts'

const SINCE = '2026-11-20T10:00:00.000Z'

test('the page shows value, reason and start of each limit that staff set', () => {
  const stakeLimits = [
    { kind: 'stake_limit' as const, value: 50, reason: 'Send papers.', since: SINCE },
    { kind: 'open_limit' as const, value: 200, reason: 'A check', since: SINCE },
  ]
  signIn({ token: 'token', user: aUser({ stake_limits: stakeLimits }) })
  render(<StakeLimits />)
  expect(screen.getByText(/^Your stake is limited to \$50\.00 by Fairwick: Send papers\. Since .*\.$/)).toBeDefined()
  expect(
    screen.getByText(/^Your open orders are limited to \$200\.00 in total by Fairwick: A check\. Since/),
  ).toBeDefined()
})

test('the page shows nothing to a user without a limit', () => {
  signIn({ token: 'token', user: aUser() })
  const { container } = render(<StakeLimits />)
  expect(container.textContent).toBe('')
})
