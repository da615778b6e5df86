import {
  keepPreviousData,
  type Query,
  QueryClient,
  QueryClientProvider,
  useQuery,
  type UseQueryResult,
} from '@tanstack/react-query'
import type { ComponentType, FunctionComponent } from 'react'
import type { Success } from '#contract/call.ts'
import { call, type CallArgs, type CallRoute, type Reply } from '#web/api/call.ts'
import { pageReply } from '#web/api/page-data.ts'
import { CallFailure } from '#web/api/call-failure.ts'
import { getSession, onSessionChange } from '#web/session/session.ts'

/** One query cache for all screens, loaded with the first screen that needs it. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 5_000,
      // Refusals are not retried because the server would refuse again; network failures are retried.
      retry: (count, error) => !(error instanceof CallFailure && error.kind === 'refused') && count < 2,
    },
  },
})

// The client must notice the return of the network also while no screen is open, for example while the code of the next
// screen loads. Otherwise the client would stay offline, and all further requests would wait forever.
queryClient.mount()

let token = getSession()?.token
onSessionChange(() => {
  const next = getSession()?.token
  if (next === token) return
  token = next
  // The next account must not see data of the previous one. The server would refuse requests that are still open.
  void queryClient.cancelQueries()
  queryClient.clear()
})

/** Wraps a screen with the query cache. */
export function withData<P extends object>(Screen: ComponentType<P>): FunctionComponent<P> {
  return function ScreenWithData(props: P) {
    return (
      <QueryClientProvider client={queryClient}>
        <Screen {...props} />
      </QueryClientProvider>
    )
  }
}

/** Returns the cache key of a call's reply. Without arguments it matches all replies of the call. */
export function callKey<R extends CallRoute>(route: R, args?: Omit<CallArgs<R>, 'signal'>): readonly unknown[] {
  return args === undefined ? [route] : [route, args]
}

interface CallQueryOptions<Answer> {
  enabled?: boolean
  /** Interval of refetching while the screen is open. It may depend on the reply, which is undefined before the first. */
  everyMs?: number | ((answer: Answer | undefined) => number)
  /** Age from which the reply counts as stale. */
  freshMs?: number
  /** Stops refetching by `everyMs` when this returns true. It receives the reply and the number of replies so far. */
  until?: (answer: Answer, answers: number) => boolean
  /** Shows the previous page until the next one arrives. */
  keepPrevious?: boolean
}

/**
 * Returns the reply to a GET call, cached and refreshed. Until the reply arrives, returns the reply that came with the
 * page.
 */
export function useCallQuery<R extends CallRoute & `GET ${string}`>(
  route: R,
  args: Omit<CallArgs<R>, 'signal'>,
  options: CallQueryOptions<Reply<R>> = {},
): UseQueryResult<Success<Reply<R>>> {
  const { enabled = true, everyMs, freshMs, until, keepPrevious = false } = options
  const ask = call as (route: R, args: object) => Promise<Success<Reply<R>>>
  return useQuery({
    queryKey: callKey(route, args),
    queryFn: ({ signal }) => ask(route, { ...args, signal }),
    enabled,
    ...(everyMs !== undefined && {
      refetchInterval: ({ state }: Query<Success<Reply<R>>>) =>
        state.data !== undefined && until?.(state.data.data, state.dataUpdateCount) === true
          ? false
          : typeof everyMs === 'function'
            ? everyMs(state.data?.data)
            : everyMs,
    }),
    ...(freshMs !== undefined && { staleTime: freshMs }),
    placeholderData: keepPrevious ? keepPreviousData : () => replyInPage(route, args),
  })
}

function replyInPage<R extends CallRoute>(route: R, args: object): Success<Reply<R>> | undefined {
  const data = Object.keys(args).length === 0 ? pageReply(route) : null
  return data === null ? undefined : { data }
}
