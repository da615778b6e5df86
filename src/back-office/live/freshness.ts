/** The part of the query cache that `createFreshness` needs. */
export interface Cache {
  /** Refetches all displayed data of an area; null means all areas. Resolves when the data has arrived. */
  refresh: (area: string | null) => Promise<unknown>
}

export interface Freshness {
  /** Reports a change in an area; null means that any area may have changed. */
  changed: (area: string | null) => void
  /** Reports whether the page is visible. */
  setWatched: (isWatched: boolean) => void
}

/**
 * Keeps displayed data fresh with at most one refresh per area at a time. Changes that arrive during a refresh cause
 * one more refresh. While the page is hidden, changes are only recorded.
 */
export function createFreshness({ refresh }: Cache): Freshness {
  const running = new Set<string | null>()
  const again = new Set<string | null>()
  const noted = new Set<string | null>()
  let watched = true

  function changed(area: string | null): void {
    if (!watched) noted.add(area)
    else if (running.has(area)) again.add(area)
    else void run(area)
  }

  async function run(area: string | null): Promise<void> {
    running.add(area)
    // A page whose data fails to load shows the failure itself.
    await refresh(area).catch(() => undefined)
    running.delete(area)
    if (again.delete(area)) changed(area)
  }

  return {
    changed,
    setWatched(isWatched) {
      watched = isWatched
      if (!isWatched) return
      const areas = noted.has(null) ? [null] : [...noted]
      noted.clear()
      for (const area of areas) changed(area)
    },
  }
}
