import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useMemo } from 'react'
import type { OwnTrade } from '#contract/trades.ts'
import type { AccountName } from '#core/accounts/practice.ts'
import { callKey, useCallQuery } from '#web/api/query.tsx'
import { getResult, onPlacement, onResult, onResync } from '#web/live/live-client.ts'
import { fromOwnTrade, type PlacedOrder } from '#web/live/placed-order.ts'
import { useAccount } from '#web/session/account.ts'
import { storeOfUser } from '#web/session/store-of-user.ts'
import { useStore } from '#ui/state/store.ts'

const POLL_MS = 2_000
const ROUTE = 'GET /user/trade-log/recent'

interface Placed {
  readonly order: PlacedOrder
  readonly account: AccountName
}

/** Accepted orders that no loaded list has contained yet. */
const placed = storeOfUser<readonly Placed[]>([])
onPlacement((_, placement) => {
  if (placement.kind === 'accepted') placed.set([placement, ...placed.get()])
})

/**
 * Drops the accepted orders that the list contains. The list names every open order, so an order that leaves it has
 * ended.
 */
function dropListed(trades: readonly OwnTrade[]): void {
  const listed = new Set(trades.map(({ id }) => id))
  const left = placed.get().filter(({ order }) => !listed.has(order.id))
  if (left.length < placed.get().length) placed.set(left)
}

/** Orders whose result arrived. The list shows them as open until it is loaded again. */
const withResult = storeOfUser<ReadonlySet<string>>(new Set())
onResult(({ id }) => withResult.set(new Set([...withResult.get(), id])))

export interface OwnTrades {
  /** The user's orders; null until loaded. */
  trades: readonly OwnTrade[] | null
  isFailed: boolean
  /** Open orders, the next to settle first. */
  running: readonly PlacedOrder[]
}

/**
 * Returns the user's orders of this tab's account: polled every 2 s as specified, or at the given interval, and reloaded immediately when an
 * order changes.
 */
export function useOwnTrades(everyMs = POLL_MS): OwnTrades {
  const client = useQueryClient()
  const account = useAccount()
  const query = useCallQuery(ROUTE, { query: { account } }, { everyMs })
  const allPlaced = useStore(placed)
  const settledIds = useStore(withResult)
  const trades = query.data?.data.trades ?? null

  useEffect(() => {
    const refresh = () => void client.invalidateQueries({ queryKey: callKey(ROUTE) })
    const stops = [onPlacement(refresh), onResult(refresh), onResync(refresh)]
    return () => {
      for (const stop of stops) stop()
    }
  }, [client])

  useEffect(() => {
    if (trades !== null) dropListed(trades)
  }, [trades])

  const running = useMemo(() => {
    const fresh = allPlaced.filter((one) => one.account === account).map(({ order }) => order)
    return runningOf(trades ?? [], fresh, settledIds)
  }, [trades, allPlaced, account, settledIds])
  return { trades, isFailed: query.isError, running }
}

/**
 * Returns the source for whose public history of trades a displayed order waits. `order` is from the time of its
 * placement, so only the newer list of open orders names this source.
 */
export function recordAwaitedBy({ running }: OwnTrades, order: PlacedOrder): string | undefined {
  return running.find(({ id }) => id === order.id)?.awaitingRecord
}

function runningOf(
  trades: readonly OwnTrade[],
  fresh: readonly PlacedOrder[],
  settledIds: ReadonlySet<string>,
): PlacedOrder[] {
  const listed = new Set(trades.map(({ id }) => id))
  return (
    [...trades.filter(({ result }) => result === 0).map(fromOwnTrade), ...fresh.filter(({ id }) => !listed.has(id))]
      // A result may have arrived before this code was loaded.
      .filter(({ id }) => !settledIds.has(id) && getResult(id) === null)
      .toSorted((a, b) => a.expiresAt - b.expiresAt)
  )
}
