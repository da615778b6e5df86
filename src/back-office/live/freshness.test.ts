import { describe, expect, it } from 'vitest'
import { createFreshness } from '#back-office/live/freshness.ts'

/** A cache whose refreshes end when the test decides. */
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
  it('refresh their area immediately, and once more for notices during the refresh', async () => {
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

  it('wait while the page is hidden, then refresh each area once', () => {
    const cache = scriptedCache()
    const freshness = createFreshness(cache)
    freshness.setWatched(false)
    for (const area of ['deposits', 'orders', 'deposits']) freshness.changed(area)
    expect(cache.refreshed).toEqual([])
    freshness.setWatched(true)
    expect(cache.refreshed).toEqual(['deposits', 'orders'])
  })

  it('for all areas replace notices for single areas', () => {
    const cache = scriptedCache()
    const freshness = createFreshness(cache)
    freshness.setWatched(false)
    for (const area of ['deposits', null, 'orders']) freshness.changed(area)
    freshness.setWatched(true)
    expect(cache.refreshed).toEqual([null])
  })

  it('refresh again after a refresh failed', async () => {
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
