import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { followDesk } from '#web/account-desk/follow-desk.ts'
import { CallFailure } from '#web/api/call-failure.ts'
import { drawingsNow } from '#web/chart/drawing-store.ts'
import { drawingsInUse } from '#web/chart/drawings-in-use.ts'

const call = vi.hoisted(() => vi.fn<(route: string) => Promise<unknown>>())
vi.mock('#web/api/call.ts', () => ({ call }))

const drawing = { id: 'theirs', kind: 'horizontal', points: [{ time_ms: 0, price: '1.0' }], colour: 1 }
let stop = () => {}
beforeEach(() => {
  vi.useFakeTimers()
  localStorage.clear()
})
afterEach(() => {
  stop()
  vi.useRealTimers()
})

test('a device whose first look at the account failed shows the drawings of the account soon after', async () => {
  drawingsInUse.set(false)
  let failures = 1
  call.mockImplementation((route) => {
    if (route === 'GET /user/desk') return Promise.resolve({ data: { version: 0, settings: null } })
    if (route !== 'GET /user/drawings/:product' || failures-- > 0)
      return Promise.reject(new CallFailure('offline', { kind: 'network', status: 0, code: 'network' }))
    return Promise.resolve({ data: { version: 1, drawings: [drawing] } })
  })
  stop = followDesk('alice', 'BTC')
  await vi.advanceTimersByTimeAsync(5_000)
  expect(drawingsNow('BTC')).toEqual([])
  await vi.advanceTimersByTimeAsync(6_000)
  await vi.waitFor(() => expect(drawingsNow('BTC')).toEqual([{ ...drawing, symbol: 'BTC' }]))
})
