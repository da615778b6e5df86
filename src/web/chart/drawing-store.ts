import { useMemo } from 'react'
import { newId } from '#ui/new-id.ts'
import { readJson, writeItem } from '#ui/state/browser-storage.ts'
import { createStore, useStore } from '#ui/state/store.ts'
import {
  type Drawing,
  type DrawingKind,
  joinDrawings,
  MAX_DRAWINGS,
  MAX_DRAWINGS_OF_SYMBOL,
  readDrawing,
} from '#core/charts/drawing.ts'
import { DRAWINGS, drawingsInUse } from '#web/chart/drawings-in-use.ts'

const VERSION = 1

interface Stored {
  readonly drawings: readonly Drawing[]
  readonly areHidden: boolean
}

const store = createStore<Stored>(readStored())
/** The drawings of each symbol before their last change, for one undo step. */
const before = createStore<ReadonlyMap<string, readonly Drawing[]>>(new Map())
globalThis.addEventListener?.('storage', ({ key }) => {
  if (key !== DRAWINGS && key !== null) return
  before.set(new Map())
  store.set(readStored())
})

/** The tool that is in use; null while nothing is being drawn. */
export const chosenTool = createStore<DrawingKind | null>(null)
/** The drawing that was picked, by id. */
export const pickedDrawing = createStore<string | null>(null)

export function useDrawings(symbol: string): readonly Drawing[] {
  const { drawings } = useStore(store)
  return useMemo(() => ofSymbol(drawings, symbol), [drawings, symbol])
}

export const drawingsNow = (symbol: string): readonly Drawing[] => ofSymbol(store.get().drawings, symbol)
export const watchDrawings = (listener: () => void) => store.subscribe(listener)

/**
 * Replaces the drawings of a symbol with those of the account. This change cannot be undone: the undo step, which
 * belongs to a change made on this device, keeps what another device drew or deleted.
 */
export function replaceDrawings(symbol: string, drawings: readonly Drawing[]): void {
  const own = before.get().get(symbol)
  if (own !== undefined) before.set(new Map(before.get()).set(symbol, joinDrawings(drawingsNow(symbol), own, drawings)))
  const others = store.get().drawings.filter((one) => one.symbol !== symbol)
  write({ ...store.get(), drawings: [...others, ...drawings].slice(-MAX_DRAWINGS) })
}

export function useAreDrawingsHidden(): boolean {
  return useStore(store).areHidden
}

export function useCanUndo(symbol: string): boolean {
  return stepBack(symbol, useStore(before), useStore(store)) !== null
}

/** Selects a tool. Hidden drawings are shown again, so that the new drawing can be seen. */
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
  if (ofSymbol(drawings, drawing.symbol).length >= MAX_DRAWINGS_OF_SYMBOL)
    return { max: MAX_DRAWINGS_OF_SYMBOL, of: 'symbol' }
  if (drawings.length >= MAX_DRAWINGS) return { max: MAX_DRAWINGS, of: 'device' }
  const id = newId()
  keep(drawing.symbol, [...drawings, { id, ...drawing }])
  return { id }
}

export function changeDrawing(id: string, change: Partial<Pick<Drawing, 'points' | 'colour'>>): void {
  const { drawings } = store.get()
  const changed = drawings.find((one) => one.id === id)
  if (changed === undefined) return
  keep(
    changed.symbol,
    drawings.map((one) => (one === changed ? { ...one, ...change } : one)),
  )
}

export function removeDrawing(id: string): void {
  const { drawings } = store.get()
  const removed = drawings.find((one) => one.id === id)
  if (removed === undefined) return
  keep(
    removed.symbol,
    drawings.filter((one) => one !== removed),
  )
}

export function removeDrawingsOf(symbol: string): void {
  keep(
    symbol,
    store.get().drawings.filter((one) => one.symbol !== symbol),
  )
}

/** Undoes the last change to the drawings of a symbol. */
export function undoDrawing(symbol: string): void {
  const drawings = stepBack(symbol, before.get(), store.get())
  if (drawings === null) return
  write({ ...store.get(), drawings })
  const others = new Map(before.get())
  others.delete(symbol)
  before.set(others)
}

/**
 * Returns all drawings after the last change of one symbol is undone. Null when there is no change to undo, or when
 * drawings of other symbols were added since and the limit of the device leaves no space.
 */
function stepBack(
  symbol: string,
  steps: ReturnType<typeof before.get>,
  { drawings }: Stored,
): readonly Drawing[] | null {
  const own = steps.get(symbol)
  if (own === undefined) return null
  const all = [...drawings.filter((one) => one.symbol !== symbol), ...own]
  return all.length > MAX_DRAWINGS ? null : all
}

export function hideDrawings(areHidden: boolean): void {
  if (areHidden !== store.get().areHidden) write({ ...store.get(), areHidden })
}

/** Stores a change to the drawings of one symbol. */
function keep(symbol: string, drawings: readonly Drawing[]): void {
  before.set(new Map(before.get()).set(symbol, ofSymbol(store.get().drawings, symbol)))
  write({ ...store.get(), drawings })
}

function ofSymbol(drawings: readonly Drawing[], symbol: string): readonly Drawing[] {
  return drawings.filter((one) => one.symbol === symbol)
}

function write(next: Stored): void {
  const isEmpty = next.drawings.length === 0 && !next.areHidden
  writeItem('localStorage', DRAWINGS, isEmpty ? null : JSON.stringify({ version: VERSION, ...next }))
  store.set(next)
  drawingsInUse.set(true)
}

/** Reads the stored drawings. Entries that are not valid drawings are left out. */
function readStored(): Stored {
  const stored = readJson('localStorage', DRAWINGS)
  if (typeof stored !== 'object' || stored === null) return { drawings: [], areHidden: false }
  const { version, drawings, areHidden } = stored as Record<string, unknown>
  const listed = version === VERSION && Array.isArray(drawings) ? drawings.slice(0, MAX_DRAWINGS) : []
  return { drawings: listed.map(readDrawing).filter((one) => one !== null), areHidden: areHidden === true }
}
