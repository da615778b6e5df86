import { openNote } from '#core/register/open-note.ts'
import { parseCheckpoint } from '#core/register/checkpoint.ts'
import { parseNote } from '#core/register/signed-note.ts'
import { HOUR_MS } from '#core/time/instant.ts'
import { BROWSER_TOOLS } from '#web/receipts/browser-tools.ts'
import { compareStates, readKeys } from '#web/register/compare-states.ts'
import { keepSeenStates, type RegisterAlarm, seenStates } from '#web/register/seen-states.ts'

const MAX_NOTES = 64
/** The reply when the register has fewer entries now than in a state that it has signed. */
const NO_SUCH_STATE = 422

/** The register as the server shows it to a client without a log-in. */
interface ShownRegister {
  readonly note: string
  readonly keys: readonly string[]
}

/** Checks the register if the last check was more than an hour ago. */
export async function lookHourly(): Promise<void> {
  if (Date.now() - seenStates().lastLookMs >= HOUR_MS) await lookAtRegister()
}

/**
 * Compares the register with the states that this browser has seen before, and stores its newest state. Without a
 * connection nothing changes.
 */
export async function lookAtRegister(): Promise<void> {
  try {
    const shown = await fetchRegister()
    if (shown !== null) await compareWithSeen(shown)
  } catch {
    // The connection broke before the states were compared. The next check follows.
  }
}

async function compareWithSeen(shown: ShownRegister): Promise<void> {
  const seen = seenStates()
  const newest = seen.notes.at(-1)
  const pinned = newest === undefined ? shown.keys : seen.keys
  const opened = openNote(BROWSER_TOOLS, shown.note, readKeys(BROWSER_TOOLS, pinned))
  const alarm = newest === undefined ? null : await alarmOf(newest, shown.note, pinned)
  if (alarm !== null) return keepSeenStates({ ...seen, lastLookMs: Date.now(), alarm: seen.alarm ?? alarm })
  if (typeof opened === 'string') return
  keepSeenStates({
    keys: [...new Set([...seen.keys, ...shown.keys])],
    notes: thinNotes([...seen.notes.filter((note) => sizeOf(note) !== opened.checkpoint.size), shown.note]),
    lastLookMs: Date.now(),
    alarm: seen.alarm,
  })
}

/**
 * Compares the newest known state with the state that the server shows. Returns the alarm that the difference raises,
 * or null.
 */
async function alarmOf(older: string, newer: string, keys: readonly string[]): Promise<RegisterAlarm | null> {
  const [before, now] = [originOf(older), originOf(newer)]
  const base = before.replace(/\/\d+$/, '')
  const hasBegunAgain = now !== before && now.startsWith(`${base}/`) && /^\d+$/.test(now.slice(base.length + 1))
  const alarm = { older, newer, atMs: Date.now() }
  if (hasBegunAgain) return { kind: 'again', ...alarm }
  const comparison = await compareStates(BROWSER_TOOLS, readKeys(BROWSER_TOOLS, keys), [older, newer], askServer)
  return comparison === 'same' ? null : { kind: 'conflict', ...alarm }
}

/** Requests from the server the proof that the smaller state is the beginning of the larger state. */
export async function askServer(fromSize: number, toSize: number): Promise<readonly string[] | null> {
  const response = await fetchAsStranger(`/api/proof/register/consistency?from=${fromSize}&to=${toSize}`)
  if (response.status === NO_SUCH_STATE) return null
  if (!response.ok) throw new Error(`the register answered ${response.status}`)
  const { data } = (await response.json()) as { data?: { hashes?: readonly string[] } }
  return data?.hashes ?? null
}

/** Loads the newest state and the keys of the register. Null when the server does not reply with a register. */
async function fetchRegister(): Promise<ShownRegister | null> {
  const [note, about] = await Promise.all([
    fetchAsStranger('/register/checkpoint'),
    fetchAsStranger('/api/proof/register'),
  ])
  if (!note.ok || !about.ok) return null
  const { data } = (await about.json()) as { data: { keys: readonly { verifier_key: string }[] } }
  return { note: await note.text(), keys: data.keys.map((key) => key.verifier_key) }
}

/** Sends no cookie and no token, so that the server cannot answer one user differently. */
function fetchAsStranger(url: string): Promise<Response> {
  return fetch(url, { credentials: 'omit', cache: 'no-store' })
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
  return notes.filter((_, at) => at !== closest)
}

function sizeOf(note: string): number {
  return stateIn(note)?.size ?? 0
}

function originOf(note: string): string {
  return stateIn(note)?.origin ?? ''
}

function stateIn(note: string) {
  return parseCheckpoint(parseNote(note)?.text ?? '')
}
