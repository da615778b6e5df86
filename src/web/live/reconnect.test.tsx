import { dropConnections, sentMessages } from '#test/support/fake-app-socket.ts'
import { renderHook } from '@testing-library/react'
import type { PropsWithChildren } from 'react'
import { beforeEach, expect, it, vi } from 'vitest'
import { fakeApi } from '#test/support/fake-api.ts'
import { aUser } from '#test/support/web-fixtures.ts'
import { useAlerts } from '#web/alerts/use-alerts.ts'
import { withData } from '#web/api/query.tsx'
import '#web/live/live-client.ts'
import { onNewNotice } from '#web/session/new-notices.ts'
import { setRealityCheck, useRealityCheck } from '#web/session/reality-check.ts'
import { getSession, signIn } from '#web/session/session.ts'

const subscriptions = () => sentMessages.filter(({ action }) => action === 'subscribe').length

beforeEach(() => vi.spyOn(Math, 'random').mockReturnValue(0))

async function reconnect(): Promise<void> {
  const before = subscriptions()
  dropConnections()
  globalThis.dispatchEvent(new Event('online'))
  await vi.waitFor(() => expect(subscriptions()).toBeGreaterThan(before))
}

it('SO10: after a reconnect, the account, the notices, the alerts and the reality check are those of now', async () => {
  const api = fakeApi({
    'GET /user/profile': { body: { data: { user: aUser({ id: 'ada', balance: 10 }) } } },
    'GET /user/alerts': { body: { data: { alerts: [], max: 5 } } },
  })
  signIn({ token: 'ada', user: aUser({ id: 'ada', balance: 100 }) })
  await vi.waitFor(() => expect(subscriptions()).toBeGreaterThan(0))
  const notice = vi.fn<() => void>()
  onNewNotice(notice)
  const alertLoads = () => api.seen.filter(({ route }) => route === 'GET /user/alerts').length
  const alerts = renderHook(() => useAlerts(), { wrapper: withData(({ children }: PropsWithChildren) => children) })
  await vi.waitFor(() => expect(alerts.result.current.isSuccess).toBe(true))
  const { result } = renderHook(useRealityCheck)
  setRealityCheck({ id: 'check' } as never)
  await reconnect()
  await vi.waitFor(() => expect(getSession()?.user.balance).toBe(10))
  expect(notice).toHaveBeenCalled()
  await vi.waitFor(() => expect(result.current).toBeNull())
  await vi.waitFor(() => expect(alertLoads()).toBe(2))
})
