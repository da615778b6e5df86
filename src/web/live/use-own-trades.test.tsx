import { act, renderHook, waitFor } from '@testing-library/react'
import type { PropsWithChildren } from 'react'
import { beforeEach, expect, it, vi } from 'vitest'
import { fakeApi } from '#test/support/fake-api.ts'
import { queryClient, withData } from '#web/api/query.tsx'
import type { PlacedOrder } from '#web/live/placed-order.ts'
import { useOwnTrades } from '#web/live/use-own-trades.ts'

const live = vi.hoisted(() => ({ accept: (..._answer: [unknown, unknown]): void => undefined }))
vi.mock('#web/live/live-client.ts', () => ({
  getResult: () => null,
  onPlacement: (listener: typeof live.accept) => {
    const before = live.accept
    live.accept = (...answer) => {
      before(...answer)
      listener(...answer)
    }
    return () => undefined
  },
  onResult: () => () => undefined,
  onResync: () => () => undefined,
}))

const ORDER: PlacedOrder = {
  id: 'first',
  clientOrderId: 'c',
  trx: 'FW-1',
  symbol: 'BTC',
  direction: 1,
  stake: 10,
  payout: 80,
  seconds: 60,
  openedAt: 0,
  expiresAt: 60_000,
  entryPrice: 1,
  entryAt: 0,
}

const wrapper = withData(({ children }: PropsWithChildren) => children)

beforeEach(() => queryClient.clear())

it('CA15: every accepted order is among the running ones, the oldest also after 50 newer ones', async () => {
  fakeApi({ 'GET /user/trade-log/recent': { body: { data: { trades: [] } } } })
  const { result } = renderHook(() => useOwnTrades(), { wrapper })
  await waitFor(() => expect(result.current.trades).toEqual([]))
  act(() => {
    for (const id of ['first', ...Array.from({ length: 50 }, (_, n) => `n${n}`)])
      live.accept(null, { kind: 'accepted', account: 'live', order: { ...ORDER, id } })
  })
  expect(result.current.running).toHaveLength(51)
})
