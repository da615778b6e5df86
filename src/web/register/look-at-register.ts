import { readEntryTile } from '#core/register/entry-tile.ts'
import { openNote } from '#core/register/open-note.ts'
import { HOUR_MS } from '#core/time/instant.ts'
import { BROWSER_TOOLS } from '#web/receipts/browser-tools.ts'
import { hasBegunAgain, isLaterName, stateIn } from '#web/register/begun-again.ts'
import { compareStates, type Comparison, readKeys } from '#web/register/compare-states.ts'
import { keepSeenStates } from '#web/register/keep-seen-states.ts'
import { readStored, type RegisterAlarm, type SeenStates, seenStates } from '#web/register/seen-states.ts'

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
  const seen = readStored()
  const newest = seen.notes.at(-1)
  const found = newest === undefined ? firstLook(shown) : await compareWithNewest(seen, newest, shown.note)
  // Another tab has stored a newer state while this tab compared.
  if (readStored().notes.at(-1) !== newest) return await compareWithSeen(shown)
  if (found === 'unreadable' && newest === undefined) return
  const next = { ...seen, lastLookMs: Date.now() }
  const raised = (kind: RegisterAlarm['kind']): RegisterAlarm => ({
    kind,
    older: newest ?? '',
    newer: shown.note,
    atMs: next.lastLookMs,
  })
  if (found === 'conflict' || found === 'unreadable') {
    return keepSeenStates({ ...next, alarm: raised('conflict') })
  }
  keepSeenStates({
    ...next,
    keys: [...new Set([...seen.keys, ...shown.keys])],
    notes: [shown.note],
    alarm: found === 'again' ? raised('again') : null,
  })
}

/** The first register that a browser sees has to be signed with the keys that the server names. */
function firstLook({ note, keys }: ShownRegister): Comparison {
  return typeof openNote(BROWSER_TOOLS, note, readKeys(BROWSER_TOOLS, keys)) === 'string' ? 'unreadable' : 'same'
}

/** Compares the newest known state with the state that the server shows. */
async function compareWithNewest(seen: SeenStates, newest: string, shown: string): Promise<Comparison | 'again'> {
  const keys = readKeys(BROWSER_TOOLS, seen.keys)
  const [before, now] = [stateIn(newest)?.origin ?? '', stateIn(shown)?.origin ?? '']
  if (isLaterName(before, now)) {
    const server = { askForProof: askServer, askForFirst: fetchFirstEntry }
    return (await hasBegunAgain(BROWSER_TOOLS, { ...seen, keys }, shown, server)) ? 'again' : 'conflict'
  }
  return await compareStates(BROWSER_TOOLS, keys, [newest, shown], askServer)
}

async function fetchFirstEntry(): Promise<string> {
  const response = await fetchAsStranger('/register/tile/entries/000.p/1')
  if (!response.ok) throw new Error(`the register answered ${response.status}`)
  return readEntryTile(new Uint8Array(await response.arrayBuffer()))[0] ?? ''
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
