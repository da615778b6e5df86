import { sameBytes } from '#core/proof/bytes.ts'
import { isLaterName, stateIn } from '#web/register/begun-again.ts'
import {
  ALARM_KINDS,
  readStored,
  type RegisterAlarm,
  replaceSeenStates,
  type SeenStates,
} from '#web/register/seen-states.ts'

const MAX_NOTES = 64

/**
 * Stores states together with what other tabs have stored in the meantime: no tab deletes the alarm of another tab, or
 * a newer state.
 */
export function keepSeenStates(next: SeenStates): void {
  const stored = readStored()
  const [old, own] = [originOf(stored), originOf(next)]
  const isOlder = isLaterName(own, old)
  const isNewer = isLaterName(old, own)
  const [before, after] = [isNewer ? [] : stored.notes, isOlder ? [] : next.notes]
  replaceSeenStates({
    keys: [...new Set([...stored.keys, ...next.keys])],
    notes: thinNotes(joinNotes(before, after)),
    lastLookMs: Math.max(stored.lastLookMs, next.lastLookMs),
    alarm: graver(graver(stored.alarm, next.alarm), forkBetween(before, after)),
  })
}

/** Returns the graver of two alarms, and the first of two equal ones: the first proof stays. */
function graver(first: RegisterAlarm | null, second: RegisterAlarm | null): RegisterAlarm | null {
  return rank(second) > rank(first) ? second : first
}

function rank(alarm: RegisterAlarm | null): number {
  return alarm === null ? -1 : ALARM_KINDS.indexOf(alarm.kind)
}

function originOf({ notes }: SeenStates): string {
  return stateIn(notes.at(-1) ?? '')?.origin ?? ''
}

/** Joins states by size. Of two notes with one size, the second may have more signatures. */
function joinNotes(before: readonly string[], after: readonly string[]): readonly string[] {
  const sizes = new Set(after.map(sizeOf))
  const notes = [...before.filter((note) => !sizes.has(sizeOf(note))), ...after]
  return notes.toSorted((one, other) => sizeOf(one) - sizeOf(other))
}

/** Two tabs may be shown two registers at the same time. */
function forkBetween(before: readonly string[], after: readonly string[]): RegisterAlarm | null {
  for (const older of before) {
    const state = stateIn(older)
    const newer = after.find((note) => sizeOf(note) === state?.size)
    const other = newer === undefined ? null : stateIn(newer)
    if (newer !== undefined && state && other && !sameBytes(state.root, other.root))
      return { kind: 'conflict', older, newer, atMs: Date.now() }
  }
  return null
}

/**
 * Drops the stored state whose previous and next states are closest to each other. The first and the newest state
 * always stay.
 */
function thinNotes(notes: readonly string[]): readonly string[] {
  if (notes.length <= MAX_NOTES) return notes
  const sizes = notes.map(sizeOf)
  const gaps = notes.map((_, at) => (sizes[at + 1] ?? Infinity) - (sizes[at - 1] ?? -Infinity))
  const closest = gaps.indexOf(Math.min(...gaps))
  return thinNotes(notes.filter((_, at) => at !== closest))
}

function sizeOf(note: string): number {
  return stateIn(note)?.size ?? 0
}
