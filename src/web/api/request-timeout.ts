import { networkFailure } from '#web/api/call-failure.ts'

/**
 * 20 s: the longest wait for data. Requests that change something have no limit, because they must not be sent twice.
 */
const GET_WITHIN_MS = 20_000

/**
 * Returns a signal for one request. It aborts with the caller's signal and, for a GET, also at the time limit. Call
 * `end` after the request.
 */
export function timeoutFor(route: string, own: AbortSignal | undefined): { signal: AbortSignal; end: () => void } {
  const controller = new AbortController()
  const giveUp = () => controller.abort(own?.reason)
  if (own?.aborted === true) giveUp()
  own?.addEventListener('abort', giveUp)
  const timer = route.startsWith('GET ')
    ? setTimeout(() => controller.abort(networkFailure(`no reply within ${GET_WITHIN_MS} ms`)), GET_WITHIN_MS)
    : undefined
  return {
    signal: controller.signal,
    end: () => {
      clearTimeout(timer)
      own?.removeEventListener('abort', giveUp)
    },
  }
}
