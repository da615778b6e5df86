import { useMemo } from 'react'
import { newId } from '#ui/new-id.ts'
import { readJson, writeItem } from '#ui/state/browser-storage.ts'
import { createStore, useStore } from '#ui/state/store.ts'
import { type Drawing, type DrawingKind, readDrawing } from '#web/chart/drawing.ts'
import { DRAWINGS, drawingsInUse } from '#web/chart/drawings-in-use.ts'

const VERSION = 1
/** More than a readable chart holds. */
const MAX_OF_SYMBOL = 50
/** 500 drawings are about 100 KB, of the 5 MB that browsers allow. */
const MAX_DRAWINGS = 500

interface Stored {
  readonly drawings: readonly Drawing[]
  readonly areHidden: boolean
}

const store = createStore<Stored>(readStored())
/** The drawings before the last change, for one step back; null when there is none. */
const before = createStore<readonly Drawing[] | null>(null)
globalThis.addEventListener?.('storage', ({ key }) => {
  if (key !== DRAWINGS && key !== null) return
  before.set(null)
  store.set(readStored())
})

/** The tool that is in use; null while nothing is being drawn. */
export const chosenTool = createStore<DrawingKind | null>(null)
/** The drawing that was picked, by id. */
export const pickedDrawing = createStore<string | null>(null)

export function useDrawings(symbol: string): readonly Drawing[] {
  const { drawings } = useStore(store)
  return useMemo(() => drawings.filter((one) => one.symbol === symbol), [drawings, symbol])
}

export function useAreDrawingsHidden(): boolean {
  return useStore(store).areHidden
}

export function useCanUndo(): boolean {
  return useStore(before) !== null
}

/** Takes up a tool. Hidden drawings are shown again, so that the new one can be seen. */
export function takeTool(kind: DrawingKind): void {
  pickedDrawing.set(null)
  hideDrawings(false)
  drawingsInUse.set(true)
  chosenTool.set(kind)
}

/** Adds a drawing and returns its id, or the limit that refuses it. */
export function addDrawing(
  drawing: Omit<Drawing, 'id'>,
): { readonly id: string } | { readonly max: number; readonly of: 'symbol' | 'device' } {
  const { drawings } = store.get()
  const inSymbol = drawings.filter(({ symbol }) => symbol === drawing.symbol).length
  if (inSymbol >= MAX_OF_SYMBOL) return { max: MAX_OF_SYMBOL, of: 'symbol' }
  if (drawings.length >= MAX_DRAWINGS) return { max: MAX_DRAWINGS, of: 'device' }
  const id = newId()
  keep([...drawings, { id, ...drawing }])
  return { id }
}

export function changeDrawing(id: string, change: Partial<Pick<Drawing, 'points' | 'colour'>>): void {
  keep(store.get().drawings.map((one) => (one.id === id ? { ...one, ...change } : one)))
}

export function removeDrawing(id: string): void {
  keep(store.get().drawings.filter((one) => one.id !== id))
}

export function removeDrawingsOf(symbol: string): void {
  keep(store.get().drawings.filter((one) => one.symbol !== symbol))
}

/** Takes back the last change. */
export function undoDrawing(): void {
  const drawings = before.get()
  if (drawings === null) return
  write({ ...store.get(), drawings })
  before.set(null)
}

export function hideDrawings(areHidden: boolean): void {
  if (areHidden !== store.get().areHidden) write({ ...store.get(), areHidden })
}

function keep(drawings: readonly Drawing[]): void {
  before.set(store.get().drawings)
  write({ ...store.get(), drawings })
}

function write(next: Stored): void {
  const isEmpty = next.drawings.length === 0 && !next.areHidden
  writeItem('localStorage', DRAWINGS, isEmpty ? null : JSON.stringify({ version: VERSION, ...next }))
  store.set(next)
  drawingsInUse.set(true)
}

/** Reads the stored drawings. Anything that is none is left out. */
function readStored(): Stored {
  const stored = readJson('localStorage', DRAWINGS)
  if (typeof stored !== 'object' || stored === null) return { drawings: [], areHidden: false }
  const { version, drawings, areHidden } = stored as Record<string, unknown>
  const listed = version === VERSION && Array.isArray(drawings) ? drawings.slice(0, MAX_DRAWINGS) : []
  return { drawings: listed.map(readDrawing).filter((one) => one !== null), areHidden: areHidden === true }
}
