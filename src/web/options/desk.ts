import { type ChartLook, readChartLook } from '#core/charts/chart-type.ts'
import { readItem, writeItem } from '#ui/state/browser-storage.ts'
import { createStore, useStore } from '#ui/state/store.ts'

/** How this device shows the chart. */
export interface Desk extends ChartLook {
  readonly isLogarithmic: boolean
  /** As stored. `readIndicators` checks them, so that its code loads only for a chart with indicators. */
  readonly indicators: readonly unknown[]
}

const KEY = 'desk'
const VERSION = 1
/** 32 KB: many times what the settings need. */
const MAX_LENGTH = 32_768
const PRESET: Desk = { ...readChartLook({}), isLogarithmic: false, indicators: [] }

const store = createStore(readDesk(readItem('localStorage', KEY)) ?? PRESET)
globalThis.addEventListener?.('storage', ({ key }) => {
  if (key === KEY || key === null) store.set(readDesk(readItem('localStorage', KEY)) ?? PRESET)
})

/** Whether this device has settings, and not only the presets. */
export function hasDesk(): boolean {
  return readItem('localStorage', KEY) !== null
}

export const deskNow = (): Desk => store.get()
export const watchDesk = (listener: () => void) => store.subscribe(listener)

export function useDesk(): Desk {
  return useStore(store)
}

export function changeDesk(change: Partial<Desk>): void {
  const next = { ...store.get(), ...change }
  writeItem('localStorage', KEY, JSON.stringify({ version: VERSION, ...next }))
  store.set(next)
}

/** Whether settings are stored that this release cannot read. The next change replaces them. */
export function isDeskUnreadable(): boolean {
  const text = readItem('localStorage', KEY)
  return text !== null && readDesk(text) === null
}

/** Reads stored settings. Missing or unknown values become the presets. A text that contains no settings gives null. */
export function readDesk(text: string | null): Desk | null {
  if (text === null || text.length > MAX_LENGTH) return null
  try {
    const { version, isLogarithmic, indicators, ...look } = JSON.parse(text) as Record<string, unknown>
    if (version !== VERSION) return null
    return {
      ...readChartLook(look),
      isLogarithmic: isLogarithmic === true,
      indicators: Array.isArray(indicators) ? indicators : PRESET.indicators,
    }
  } catch {
    return null
  }
}
