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

/** One cache for all pages. What the server refused once it refuses again; a network that failed may be back. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 5_000,
      retry: (count, error) => error instanceof StaffFailure && error.status === 0 && count < 2,
    },
  },
})

/** Who is signed in. */
export const ME = ['me'] as const

type AnyCall = (call: StaffCall, args: object) => Promise<unknown>

/** The answer of a GET, from the cache and kept fresh. */
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

/** A list as far as it has been read. */
export interface StaffList<Row> {
  /** Undefined before the first answer. */
  readonly rows: readonly Row[] | undefined
  readonly isPending: boolean
  readonly isFetching: boolean
  readonly error: unknown
  readonly retry: () => void
  readonly hasMore: boolean
  readonly isFetchingMore: boolean
  readonly fetchMore: () => void
}

/** The rows of a list, a page at a time; the rows of the filters before stay until those of the new ones are there. */
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
 * Makes a change. Afterwards everything of its area, and of the other areas named, is loaded again; until that has
 * arrived the change counts as pending. A press meanwhile would act on what is no longer so: it is not sent.
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
    // After a refusal too: it may be refused because another staff member was faster.
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
    /** Sends it unless one is pending. How it ends is in `error` and `data`. */
    mutate: (given: Given): void => void send(given).catch(() => undefined),
    /** Sends it and throws what was refused; while one is pending, answers as that one does. */
    mutateAsync: send,
  }
}

function refresh(client: QueryClient, area: string): Promise<void> {
  return client.invalidateQueries({ queryKey: [area] })
}
