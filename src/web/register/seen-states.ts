import { useStore, createStore } from '#ui/state/store.ts'
import { readJson, writeItem } from '#ui/state/browser-storage.ts'

const KEY = 'register_seen'

/**
 * Why this browser warns:
 * - `conflict`: two signed states of one register exclude each other, or the register has another key or name.
 * - `again`: the register began again under a new name, as its signed first entry shows.
 */
export interface RegisterAlarm {
  readonly kind: 'conflict' | 'again'
  readonly older: string
  readonly newer: string
  readonly atMs: number
}

/** From the mildest to the gravest. */
const KINDS: readonly RegisterAlarm['kind'][] = ['again', 'conflict']

/** Returns the graver of two alarms, and the first of two equal ones: the first proof stays. */
export function graver(first: RegisterAlarm | null, second: RegisterAlarm | null): RegisterAlarm | null {
  const rank = (alarm: RegisterAlarm | null): number => (alarm === null ? -1 : KINDS.indexOf(alarm.kind))
  return rank(second) > rank(first) ? second : first
}

/** The states of the register that this browser has seen. */
export interface SeenStates {
  /** Keys that may sign the register, in the text form that people exchange. */
  readonly keys: readonly string[]
  /** The first state, the newest one, and some in between. */
  readonly notes: readonly string[]
  readonly lastLookMs: number
  readonly alarm: RegisterAlarm | null
}

const NOTHING: SeenStates = { keys: [], notes: [], lastLookMs: 0, alarm: null }
const store = createStore<SeenStates>(readStored())

export function seenStates(): SeenStates {
  return store.get()
}

export function useSeenStates(): SeenStates {
  return useStore(store)
}

export function keepSeenStates(next: SeenStates): void {
  writeItem('localStorage', KEY, JSON.stringify(next))
  store.set(next)
}

/** Deletes the stored states and keys. Only for a demo, whose register may be deleted at any time. */
export function forgetSeenStates(): void {
  keepSeenStates(NOTHING)
}

/** Reads the stored states. Unreadable data, such as that of an older release, is ignored. */
function readStored(): SeenStates {
  const stored = readJson('localStorage', KEY)
  if (typeof stored !== 'object' || stored === null) return NOTHING
  const { keys, notes, lastLookMs, alarm } = stored as Partial<Record<keyof SeenStates, unknown>>
  if (!areTexts(keys) || !areTexts(notes) || typeof lastLookMs !== 'number') return NOTHING
  return { keys, notes, lastLookMs, alarm: isAlarm(alarm) ? alarm : null }
}

function areTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((text) => typeof text === 'string')
}

function isAlarm(value: unknown): value is RegisterAlarm {
  const { kind, older, newer, atMs } = (value ?? {}) as Partial<Record<keyof RegisterAlarm, unknown>>
  const isKnown = KINDS.some((known) => known === kind)
  return isKnown && typeof older === 'string' && typeof newer === 'string' && typeof atMs === 'number'
}
