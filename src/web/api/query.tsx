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
import { CallFailure } from '#web/api/call-failure.ts'
import { getSession, onSessionChange } from '#web/session/session.ts'

/** One cache of server data for all screens, loaded with the first of them that needs it. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 5_000,
      // What the server refused once it refuses again; a network that failed may be back.
      retry: (count, error) => !(error instanceof CallFailure && error.kind === 'refused') && count < 2,
    },
  },
})

let token = getSession()?.token
onSessionChange(() => {
  const next = getSession()?.token
  if (next === token) return
  token = next
  // Nothing of one account may be seen by the next.
  queryClient.clear()
})

/** Gives a screen the cache. */
export function withData<P extends object>(Screen: ComponentType<P>): FunctionComponent<P> {
  return function ScreenWithData(props: P) {
    return (
      <QueryClientProvider client={queryClient}>
        <Screen {...props} />
      </QueryClientProvider>
    )
  }
}

/** The key of a call's answer in the cache; without arguments that of all its answers. */
export function callKey<R extends CallRoute>(route: R, args?: Omit<CallArgs<R>, 'signal'>): readonly unknown[] {
  return args === undefined ? [route] : [route, args]
}

interface CallQueryOptions<Answer> {
  enabled?: boolean
  /** Asks again this often while the screen is open. */
  everyMs?: number
  /** With `everyMs`: stops asking once the answer is whole, or after so many answers. */
  until?: (answer: Answer, answers: number) => boolean
  /** Shows the last page until the next has come. */
  keepPrevious?: boolean
}

/** The answer of a GET, from the cache and kept fresh. */
export function useCallQuery<R extends CallRoute & `GET ${string}`>(
  route: R,
  args: Omit<CallArgs<R>, 'signal'>,
  options: CallQueryOptions<Reply<R>> = {},
): UseQueryResult<Success<Reply<R>>> {
  const { enabled = true, everyMs, until, keepPrevious = false } = options
  const ask = call as (route: R, args: object) => Promise<Success<Reply<R>>>
  return useQuery({
    queryKey: callKey(route, args),
    queryFn: ({ signal }) => ask(route, { ...args, signal }),
    enabled,
    ...(everyMs !== undefined && {
      refetchInterval: ({ state }: Query<Success<Reply<R>>>) =>
        state.data !== undefined && until?.(state.data.data, state.dataUpdateCount) === true ? false : everyMs,
    }),
    ...(keepPrevious && { placeholderData: keepPreviousData }),
  })
}
