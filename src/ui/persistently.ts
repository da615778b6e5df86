/** Waits between tries: over in some seconds, since somebody looks at a spinner meanwhile. */
const WAITS_MS = [500, 1_500, 4_000] as const

/** Does what a bad network may have cut off, again after growing waits; fails with the last error. */
export async function persistently<T>(work: () => Promise<T>, waitsMs: readonly number[] = WAITS_MS): Promise<T> {
  for (const waitMs of waitsMs) {
    try {
      return await work()
    } catch {
      await new Promise((resolve) => setTimeout(resolve, waitMs))
    }
  }
  return work()
}

/** The answer of `work`, or a failure when it takes longer than that: some networks neither answer nor refuse. */
export async function within<T>(ms: number, work: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`nothing came within ${ms} ms`)), ms)
  })
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}
