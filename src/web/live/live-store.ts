import { useCallback, useSyncExternalStore } from 'react'
import type { MarketStatus } from '#contract/markets.ts'
import { useIsOnline } from '#ui/state/online.ts'
import { createStore, useStore } from '#ui/state/store.ts'
import { useHasServerReply, noteServerReply } from '#web/api/server-reply.ts'

/** `offline` from the loss of a connection until its return; `connecting` before the first connection. */
export type Connection = 'connected' | 'connecting' | 'offline'

/** The newest price of a symbol. */
export interface LiveTick {
  readonly price: number
  /** Change in percent over 24 hours. */
  readonly change: number
  /** Milliseconds UTC by the source's clock. */
  readonly time: number
  /**
   * Whether the price is too old for an order, or the connection is lost. The app shows such a price, but never as
   * live.
   */
  readonly stale: boolean
  /** Set if the price is the close of a past bar. Lines of ticks do not include this price. */
  readonly past?: boolean
}

/** Whether this user may open orders. If not, also the reason. */
export interface TradeStatus {
  readonly isAllowed: boolean
  readonly reason: string
}

const connection = createStore<Connection>('connecting')
const staleSince = createStore<number | null>(null)
const tradeStatus = createStore<TradeStatus | null>(null)
const marketStatus = createStore<MarketStatus | null>(null)

/**
 * Sets the state of the connection. Prices without a connection are not live. `lastMessageAt` is the time of the
 * server's last message, by the server's clock.
 */
export function setConnection(next: Connection, lastMessageAt: number): void {
  connection.set(next)
  if (next === 'connected') noteServerReply()
  staleSince.set(next === 'connected' ? null : lastMessageAt)
  if (next !== 'connected') markStale(() => true)
}

/** Returns the time of the shown prices while the connection is lost, in milliseconds UTC; null while they are live. */
export function useStaleSince(): number | null {
  return useStore(staleSince)
}

/**
 * Whether the page was opened without a connection and still has none. In that case there is no price to show, and the
 * user's amounts come from an earlier visit.
 */
export function useIsOfflineStart(): boolean {
  const isOnline = useIsOnline()
  const state = useConnection()
  const hasReply = useHasServerReply()
  return !hasReply && (state === 'offline' || !isOnline)
}

/** Whether the connection is lost, so that no price is live. */
export function isConnectionLost(): boolean {
  return connection.get() === 'offline'
}

export const isConnected = (): boolean => connection.get() === 'connected'

/** Returns the state of the live connection. */
export function useConnection(): Connection {
  return useStore(connection)
}

export function setTradeStatus(next: TradeStatus | null): void {
  const before = tradeStatus.get()
  if (before?.isAllowed !== next?.isAllowed || before?.reason !== next?.reason) tradeStatus.set(next)
}

/** Returns the user's trade status from the last message; null before the first. */
export function useTradeStatus(): TradeStatus | null {
  return useStore(tradeStatus)
}

export function setMarketStatus(next: MarketStatus): void {
  if (JSON.stringify(marketStatus.get()) !== JSON.stringify(next)) marketStatus.set(next)
}

/** Returns which markets are open by the last message; null before the first. */
export function useMarketStatus(): MarketStatus | null {
  return useStore(marketStatus)
}

const ticks = new Map<string, LiveTick>()
const listeners = new Map<string, Set<() => void>>()

/**
 * Stores the newest tick of a symbol by its plain code (`BTC`, `AAPL`) and notifies its listeners. Older ticks are
 * ignored.
 */
export function publishTick(code: string, tick: LiveTick): void {
  const before = ticks.get(code)
  if (before !== undefined && before.time > tick.time) return
  ticks.set(code, tick)
  for (const listener of listeners.get(code) ?? []) listener()
}

/** Marks prices that are no longer live. */
export function markStale(isStale: (code: string, tick: LiveTick) => boolean): void {
  for (const [code, tick] of ticks) {
    if (!tick.stale && isStale(code, tick)) publishTick(code, { ...tick, stale: true })
  }
}

/** Marks prices as live again that were stale only because the connection was lost. */
export function markLive(isLive: (code: string, tick: LiveTick) => boolean): void {
  for (const [code, tick] of ticks) {
    if (tick.stale && isLive(code, tick)) publishTick(code, { ...tick, stale: false })
  }
}

export function latestTick(code: string): LiveTick | null {
  return ticks.get(code) ?? null
}

/** Runs the listener on each new tick of a symbol. Returns a function that stops it. */
export function onTick(code: string, listener: () => void): () => void {
  const those = listeners.get(code) ?? new Set()
  listeners.set(code, those.add(listener))
  return () => those.delete(listener)
}

/** Returns the newest tick of a symbol; null before the first. Only ticks of this symbol re-render the component. */
export function useTick(code: string): LiveTick | null {
  const subscribe = useCallback((listener: () => void) => onTick(code, listener), [code])
  return useSyncExternalStore(subscribe, () => latestTick(code))
}
