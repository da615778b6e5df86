import {
  QueryClient,
  keepPreviousData,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'
import { useRef } from 'react'
import type { z } from 'zod'
import { areaOf, type StaffCall, type StaffListCall } from '#contract/back-office/staff-call.ts'
import { callStaff, type StaffArgs, StaffFailure, type StaffReply } from '#back-office/api/call-staff.ts'

/**
 * One query cache for all pages. Refusals are not retried because the server would refuse again; network failures are
 * retried.
 */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 5_000,
      retry: (count, error) => error instanceof StaffFailure && error.status === 0 && count < 2,
    },
  },
})

/** Query key of the logged-in staff member. */
export const ME = ['me'] as const

type AnyCall = (call: StaffCall, args: object) => Promise<unknown>

/** Returns the reply to a GET call, cached and refreshed. */
export function useStaffQuery<C extends StaffCall & { method: 'GET' }>(
  call: C,
  args: Omit<StaffArgs<C>, 'signal'>,
  options: { enabled?: boolean; everyMs?: number } = {},
) {
  return useQuery({
    queryKey: [areaOf(call), call.path, args],
    queryFn: ({ signal }) => (callStaff as AnyCall)(call, { ...args, signal }) as Promise<StaffReply<C>>,
    enabled: options.enabled ?? true,
    ...(options.everyMs !== undefined && { refetchInterval: options.everyMs }),
  })
}

/** The rows of a list that have been loaded so far. */
export interface StaffList<Row> {
  /** Undefined before the first reply. */
  readonly rows: readonly Row[] | undefined
  readonly isPending: boolean
  readonly isFetching: boolean
  readonly error: unknown
  readonly retry: () => void
  readonly hasMore: boolean
  readonly isFetchingMore: boolean
  readonly fetchMore: () => void
}

/** Loads the rows of a list page by page. After a filter changes, the old rows stay until the new ones arrive. */
export function useStaffList<C extends StaffListCall>(
  call: C,
  filters: Readonly<Record<string, string>>,
  params: Readonly<Record<string, string>> = {},
): StaffList<z.output<C['row']>> {
  type Page = { rows: z.output<C['row']>[]; next: string | null }
  const query = useInfiniteQuery({
    queryKey: [areaOf(call), call.path, params, filters],
    queryFn: ({ signal, pageParam }) => {
      const after = pageParam === null ? {} : { after: pageParam }
      return (callStaff as AnyCall)(call, { params, query: { ...filters, ...after }, signal }) as Promise<Page>
    },
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }: Page) => next,
    placeholderData: keepPreviousData,
  })
  return {
    rows: query.data?.pages.flatMap(({ rows }) => rows),
    isPending: query.isPending,
    isFetching: query.isFetching,
    error: query.error,
    retry: () => void query.refetch(),
    hasMore: query.hasNextPage,
    isFetchingMore: query.isFetchingNextPage,
    fetchMore: () => void query.fetchNextPage(),
  }
}

interface ChangeOptions<C extends StaffCall> {
  onStart?: () => void
  onDone?: (reply: StaffReply<C>) => void
  onFailed?: () => void
  alsoAreas?: readonly string[]
}

/**
 * Makes a change, then reloads the change's area and `alsoAreas`. The change counts as pending until these areas have
 * reloaded. A press during that time sends nothing, because it would act on outdated data.
 */
export function useStaffChange<C extends StaffCall>(call: C, options: ChangeOptions<C> = {}) {
  type Given = Omit<StaffArgs<C>, 'signal'>
  const client = useQueryClient()
  const running = useRef<Promise<StaffReply<C>> | null>(null)
  const mutation = useMutation({
    mutationFn: (args: Given) => (callStaff as AnyCall)(call, args) as Promise<StaffReply<C>>,
    onMutate: () => options.onStart?.(),
    onSuccess: (reply) => options.onDone?.(reply),
    onError: () => options.onFailed?.(),
    // Reload after a refusal too: another staff member may have been faster.
    onSettled: () =>
      Promise.all([areaOf(call), ...(options.alsoAreas ?? [])].map((area) => refresh(client, area))).then(
        () => undefined,
      ),
  })
  const send = (given: Given): Promise<StaffReply<C>> => {
    running.current ??= mutation.mutateAsync(given).finally(() => {
      running.current = null
    })
    return running.current
  }
  return {
    ...mutation,
    /** Sends the change unless one is pending. The outcome is in `error` and `data`. */
    mutate: (given: Given): void => void send(given).catch(() => undefined),
    /** Sends the change and throws on refusal. While a change is pending, returns the promise of that change. */
    mutateAsync: send,
  }
}

function refresh(client: QueryClient, area: string): Promise<void> {
  return client.invalidateQueries({ queryKey: [area] })
}
