import { useCallback, useEffect, useRef, useState } from 'react'

export type Loaded<T> =
  | { state: 'loading' }
  | { state: 'failed'; error: unknown; retry: () => void }
  | { state: 'ready'; data: T; reload: () => void }

type Result<T> = { data: T } | { error: unknown } | null

/**
 * Loads something at once and again on request, for the screens before the login: they do without the query cache
 * and its weight. A reload that fails leaves what is shown. `load` must keep its identity between drawings.
 */
export function useLoaded<T>(load: (signal: AbortSignal) => Promise<T>): Loaded<T> {
  const [result, setResult] = useState<Result<T>>(null)
  const running = useRef<AbortController>(null)

  const start = useCallback(async () => {
    running.current?.abort()
    const controller = new AbortController()
    running.current = controller
    let next: Result<T>
    try {
      next = { data: await load(controller.signal) }
    } catch (error) {
      next = { error }
    }
    if (controller.signal.aborted) return
    setResult((before) => (before !== null && 'data' in before && 'error' in next ? before : next))
  }, [load])

  useEffect(() => {
    void start()
    return () => running.current?.abort()
  }, [start])

  if (result === null) return { state: 'loading' }
  if ('data' in result) return { state: 'ready', data: result.data, reload: () => void start() }
  const retry = () => {
    setResult(null)
    void start()
  }
  return { state: 'failed', error: result.error, retry }
}
