/** What a freshness needs of the query cache. */
export interface Cache {
  /** Asks everything of an area anew that a page shows; null is all there is. Answers when that is done. */
  refresh: (area: string | null) => Promise<unknown>
}

export interface Freshness {
  /** Something of this area has changed; null: anything may have. */
  changed: (area: string | null) => void
  /** The page is looked at again, or no longer. */
  setWatched: (isWatched: boolean) => void
}

/**
 * Keeps what pages show fresh without asking more than they can answer: one round of an area at a time, one more when
 * news came during it. While nobody looks at the page news are only noted.
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
    // A page that could not be read says so itself.
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
