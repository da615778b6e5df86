import { useEffect, useState } from 'react'

export type Loaded<T> =
  | { state: 'loading' }
  | { state: 'failed'; error: unknown; retry: () => void }
  | { state: 'ready'; data: T; reload: () => void; isReloading: boolean }

type Result<T> = { data: T; attempt: number } | { error: unknown; attempt: number }

/**
 * Loads data on mount and again on request. For screens before the log-in, which avoid the weight of the query cache. A
 * failed reload keeps the shown data. `load` must keep its identity between renders. `known` returns data that came
 * with the page. Such data is shown without a request.
 */
export function useLoaded<T>(load: (signal: AbortSignal) => Promise<T>, known: () => T | null = () => null): Loaded<T> {
  const [attempt, setAttempt] = useState(1)
  const [brought] = useState(known)
  const [result, setResult] = useState<Result<T> | null>(brought === null ? null : { data: brought, attempt: 1 })
  const isBrought = brought !== null && attempt === 1

  useEffect(() => {
    if (isBrought) return undefined
    const controller = new AbortController()
    const ask = async () => {
      let next: Result<T>
      try {
        next = { data: await load(controller.signal), attempt }
      } catch (error) {
        next = { error, attempt }
      }
      if (controller.signal.aborted) return
      setResult((before) => (before !== null && 'data' in before && 'error' in next ? { ...before, attempt } : next))
    }
    void ask()
    return () => controller.abort()
  }, [load, attempt, isBrought])

  const again = () => setAttempt(attempt + 1)
  const isCurrent = result?.attempt === attempt
  const hasFailed = result !== null && 'error' in result
  useEffect(() => {
    if (!hasFailed) return undefined
    const retry = () => setAttempt((before) => before + 1)
    globalThis.addEventListener('online', retry)
    return () => globalThis.removeEventListener('online', retry)
  }, [hasFailed])
  if (result !== null && 'data' in result) {
    return { state: 'ready', data: result.data, reload: again, isReloading: !isCurrent }
  }
  if (result === null || !isCurrent) return { state: 'loading' }
  return { state: 'failed', error: result.error, retry: again }
}
