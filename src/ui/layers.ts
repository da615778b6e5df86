import { useEffect, useEffectEvent } from 'react'
import { entryNumber } from '#ui/history-entry.ts'

/**
 * Sheets, pickers and the full-screen chart lie over their screen as layers. Each open layer has an entry of its own in
 * the history of the browser, at the same address, so that Back closes the layer first. The state of an entry counts
 * the layers that it stands for; `settle` moves through the history until entry and open layers agree.
 */
interface Layer {
  close: () => void
}

const open: Layer[] = []
/** 500 ms: a browser takes a step back within a few. Without this limit one that takes none would end all navigation. */
const MAX_LEAVING_MS = 500
/** Set while a step back of ours is under way. */
let isLeaving: ReturnType<typeof setTimeout> | null = null
const waiting: (() => void)[] = []

/** Gives a layer its entry in the history while it is open; Back calls `onBack`, which closes the layer. */
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

/** Whether the entry that is shown belongs to a layer: going elsewhere replaces that entry. */
export function isOnLayer(): boolean {
  return entryNumber('layers') > 0
}

/** Runs a change of the history, once a step back that closes a layer has arrived. */
export function whenSettled(change: () => void): void {
  if (isLeaving !== null) waiting.push(change)
  else change()
}

/** A layer that closes while another opens keeps its entry: the effects of both run before this does. */
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
  // Back was pressed: the uppermost layers close.
  for (const layer of open.splice(entryNumber('layers')).toReversed()) layer.close()
  // An entry that outlived its layer, reached by Back or Forward, is passed over.
  settle()
})

// A page that is loaded again has no layers, whatever its entry says.
settleSoon()
