import { useCallback, useSyncExternalStore } from 'react'
import { createStore, useStore } from '#web/state/store.ts'

/** `offline` once a connection was lost and has not come back yet; `connecting` before there ever was one. */
export type Connection = 'connected' | 'connecting' | 'offline'

/** The newest price of a symbol. */
export interface LiveTick {
  readonly price: number
  /** Percent against 24 hours ago. */
  readonly change: number
  /** Milliseconds UTC, the source's clock. */
  readonly time: number
}

const connection = createStore<Connection>('connecting')

export const setConnection = connection.set

/** How the live feed is doing, followed. */
export function useConnection(): Connection {
  return useStore(connection)
}

const ticks = new Map<string, LiveTick>()
const listeners = new Map<string, Set<() => void>>()

/** Keeps the newest tick of a symbol (`BTC`, `AAPL`: its plain code) and tells whoever shows it. */
export function publishTick(code: string, tick: LiveTick): void {
  ticks.set(code, tick)
  for (const listener of listeners.get(code) ?? []) listener()
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
