import { describe, expect, it } from 'vitest'
import { createFreshness } from '#back-office/live/freshness.ts'

/** Creates a cache whose refreshes end when the test calls `endRound`. */
function scriptedCache() {
  const refreshed: (string | null)[] = []
  const ends: (() => void)[] = []
  const refresh = (area: string | null) => {
    refreshed.push(area)
    return new Promise<void>((resolve) => ends.push(resolve))
  }
  return {
    refresh,
    refreshed,
    async endRound() {
      ends.shift()?.()
      await new Promise((resolve) => setImmediate(resolve))
    },
  }
}

describe('change notices', () => {
  it('a notice refreshes its area immediately, and notices during the refresh cause one more refresh', async () => {
    const cache = scriptedCache()
    const freshness = createFreshness(cache)
    for (let times = 0; times < 5; times += 1) freshness.changed('deposits')
    freshness.changed('orders')
    expect(cache.refreshed).toEqual(['deposits', 'orders'])
    await cache.endRound()
    expect(cache.refreshed).toEqual(['deposits', 'orders', 'deposits'])
    await cache.endRound()
    await cache.endRound()
    expect(cache.refreshed).toHaveLength(3)
  })

  it('notices wait while the page is hidden, then refresh each area once', () => {
    const cache = scriptedCache()
    const freshness = createFreshness(cache)
    freshness.setWatched(false)
    for (const area of ['deposits', 'orders', 'deposits']) freshness.changed(area)
    expect(cache.refreshed).toEqual([])
    freshness.setWatched(true)
    expect(cache.refreshed).toEqual(['deposits', 'orders'])
  })

  it('while the page is hidden, a notice for all areas replaces notices for single areas', () => {
    const cache = scriptedCache()
    const freshness = createFreshness(cache)
    freshness.setWatched(false)
    for (const area of ['deposits', null, 'orders']) freshness.changed(area)
    freshness.setWatched(true)
    expect(cache.refreshed).toEqual([null])
  })

  it('a notice refreshes its area again after an earlier refresh failed', async () => {
    const refreshed: (string | null)[] = []
    const freshness = createFreshness({
      refresh: async (area) => {
        refreshed.push(area)
        throw new Error('no network')
      },
    })
    freshness.changed('users')
    await new Promise((resolve) => setImmediate(resolve))
    freshness.changed('users')
    expect(refreshed).toEqual(['users', 'users'])
  })
})
