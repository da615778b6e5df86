import { useCallback, useSyncExternalStore } from 'react'
import type { MarketStatus } from '#contract/markets.ts'
import { createStore, useStore } from '#ui/state/store.ts'

/** `offline` once a connection was lost and has not come back yet; `connecting` before there ever was one. */
export type Connection = 'connected' | 'connecting' | 'offline'

/** The newest price of a symbol. */
export interface LiveTick {
  readonly price: number
  /** Percent against 24 hours ago. */
  readonly change: number
  /** Milliseconds UTC, the source's clock. */
  readonly time: number
  /** Too old for an order, or the connection is gone: show it, but never as live. */
  readonly stale: boolean
  /** The close of a bar of the past: no tick, so no line of ticks goes through it. */
  readonly past?: boolean
}

/** Whether this user may open orders; `reason` when not. */
export interface TradeStatus {
  readonly isAllowed: boolean
  readonly reason: string
}

const connection = createStore<Connection>('connecting')
const tradeStatus = createStore<TradeStatus | null>(null)
const marketStatus = createStore<MarketStatus | null>(null)

export function setConnection(next: Connection): void {
  connection.set(next)
  if (next !== 'connected') markStale(() => true)
}

/** How the live feed is doing, followed. */
export function useConnection(): Connection {
  return useStore(connection)
}

export function setTradeStatus(next: TradeStatus | null): void {
  const before = tradeStatus.get()
  if (before?.isAllowed !== next?.isAllowed || before?.reason !== next?.reason) tradeStatus.set(next)
}

/** What the server last said about trading by this user; null until it has. */
export function useTradeStatus(): TradeStatus | null {
  return useStore(tradeStatus)
}

export function setMarketStatus(next: MarketStatus): void {
  if (JSON.stringify(marketStatus.get()) !== JSON.stringify(next)) marketStatus.set(next)
}

/** Which markets are open, as the server last said; null until it has. */
export function useMarketStatus(): MarketStatus | null {
  return useStore(marketStatus)
}

const ticks = new Map<string, LiveTick>()
const listeners = new Map<string, Set<() => void>>()

/** Keeps the newest tick of a symbol (`BTC`, `AAPL`: its plain code) and tells whoever shows it. Older ones are not. */
export function publishTick(code: string, tick: LiveTick): void {
  const before = ticks.get(code)
  if (before !== undefined && before.time > tick.time) return
  ticks.set(code, tick)
  for (const listener of listeners.get(code) ?? []) listener()
}

/** Marks prices that stopped being live. */
export function markStale(isStale: (code: string, tick: LiveTick) => boolean): void {
  for (const [code, tick] of ticks) {
    if (!tick.stale && isStale(code, tick)) publishTick(code, { ...tick, stale: true })
  }
}

export function latestTick(code: string): LiveTick | null {
  return ticks.get(code) ?? null
}

/** Calls back on each new tick of a symbol; answers how to stop. */
export function onTick(code: string, listener: () => void): () => void {
  const those = listeners.get(code) ?? new Set()
  listeners.set(code, those.add(listener))
  return () => those.delete(listener)
}

/** The newest tick of a symbol, followed; null until the first one. Only this symbol's ticks draw the component anew. */
export function useTick(code: string): LiveTick | null {
  const subscribe = useCallback((listener: () => void) => onTick(code, listener), [code])
  return useSyncExternalStore(subscribe, () => latestTick(code))
}
