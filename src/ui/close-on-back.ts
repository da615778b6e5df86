import { useEffect, useEffectEvent } from 'react'
import { entryNumber } from '#ui/history-entry.ts'

/**
 * Sheets, pickers, the full-screen chart and the modes of the chart are layers on top of their screen. Each open layer
 * has a history entry at the same address, so that Back closes the layer first. The state of an entry holds its number
 * of layers. `settle` moves through the history until that number equals the number of open layers.
 */
interface Layer {
  close: () => void
}

const open: Layer[] = []
/**
 * 500 ms: browsers complete a step back within a few milliseconds. If a step back does not complete, navigation
 * continues after this time.
 */
const MAX_LEAVING_MS = 500
/** Set while a step back by this module is pending. */
let isLeaving: ReturnType<typeof setTimeout> | null = null
const waiting: (() => void)[] = []

/** Adds a history entry while a layer is open. Back calls `onBack`, which must close the layer. */
export function useLayer(isOpen: boolean, onBack: () => void): void {
  const close = useEffectEvent(onBack)
  useEffect(() => {
    if (!isOpen) return undefined
    const layer = { close: () => close() }
    open.push(layer)
    settleSoon()
    return () => {
      const at = open.indexOf(layer)
      if (at === -1) return
      open.splice(at, 1)
      settleSoon()
    }
  }, [isOpen])
}

/** Whether the current history entry belongs to a layer. Navigation then replaces that entry. */
export function isOnLayer(): boolean {
  return entryNumber('layers') > 0
}

/** Runs a history change, after a pending step back has completed. */
export function whenSettled(change: () => void): void {
  if (isLeaving !== null) waiting.push(change)
  else change()
}

/**
 * When one layer closes while another opens, the opening layer takes over the history entry, because the effects of
 * both run before this microtask.
 */
function settleSoon(): void {
  queueMicrotask(settle)
}

function settle(): void {
  if (isLeaving !== null) return
  const { history } = globalThis
  const surplus = entryNumber('layers') - open.length
  if (surplus > 0) {
    isLeaving = setTimeout(arrive, MAX_LEAVING_MS)
    history.go(-surplus)
  }
  for (let layers = entryNumber('layers') + 1; layers <= open.length; layers++) {
    history.pushState({ ...(history.state as object | null), layers }, '')
  }
}

function arrive(): void {
  if (isLeaving === null) return
  clearTimeout(isLeaving)
  isLeaving = null
  for (const change of waiting.splice(0)) change()
}

globalThis.addEventListener?.('popstate', () => {
  arrive()
  // The user pressed Back: close the uppermost layers.
  for (const layer of open.splice(entryNumber('layers')).toReversed()) layer.close()
  // Skips an entry whose layer is already closed, reached by Back or Forward.
  settle()
})

// A reloaded page has no open layers, whatever its history entry says.
settleSoon()
