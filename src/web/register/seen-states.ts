import { useStore, createStore } from '#ui/state/store.ts'
import { readJson, writeItem } from '#ui/state/browser-storage.ts'

const KEY = 'register_seen'

/** Why this browser may warn, from the mildest reason to the gravest. */
export const ALARM_KINDS = ['again', 'conflict'] as const

/**
 * Why this browser warns:
 * - `again`: the register began again under a new name, as its signed first entry shows.
 * - `conflict`: two signed states of one register exclude each other, or the register has another key or name.
 */
export interface RegisterAlarm {
  readonly kind: (typeof ALARM_KINDS)[number]
  readonly older: string
  readonly newer: string
  readonly atMs: number
}

/** The states of the register that this browser has seen. */
export interface SeenStates {
  /** Keys that may sign the register, in the text form that people exchange. */
  readonly keys: readonly string[]
  /** The first state, the newest one, and some in between, by size. */
  readonly notes: readonly string[]
  readonly lastLookMs: number
  readonly alarm: RegisterAlarm | null
}

const NOTHING: SeenStates = { keys: [], notes: [], lastLookMs: 0, alarm: null }
const store = createStore<SeenStates>(readStored())

// Another tab has stored newer states, or an alarm.
globalThis.addEventListener?.('storage', ({ key }) => {
  if (key === null || key === KEY) store.set(readStored())
})

export function seenStates(): SeenStates {
  return store.get()
}

export function useSeenStates(): SeenStates {
  return useStore(store)
}

/** Replaces everything that is stored. Only `keepSeenStates` keeps what other tabs have stored. */
export function replaceSeenStates(next: SeenStates): void {
  writeItem('localStorage', KEY, JSON.stringify(next))
  store.set(next)
}

/** Deletes the stored states and keys. Only for a demo, whose register may be deleted at any time. */
export function forgetSeenStates(): void {
  replaceSeenStates(NOTHING)
}

/**
 * Reads the stored states, also those of other tabs. Unreadable data, such as that of an older release, is ignored.
 */
export function readStored(): SeenStates {
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
  const isKnown = ALARM_KINDS.some((known) => known === kind)
  return isKnown && typeof older === 'string' && typeof newer === 'string' && typeof atMs === 'number'
}
