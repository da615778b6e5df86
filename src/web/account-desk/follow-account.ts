import { SECOND_MS } from '#core/time/instant.ts'
import { readJson, writeItem } from '#ui/state/browser-storage.ts'
import { CallFailure } from '#web/api/call-failure.ts'
import { getSession } from '#web/session/session.ts'

/**
 * Content that a user set up, stored on this device and in the account. `C` is JSON whose fields always have the same
 * order.
 */
export interface Shared<C> {
  /** The storage key of the last content that was the same on the device and in the account. */
  readonly key: string
  /** The content on this device; null when nothing was set up on it. */
  readonly local: () => C | null
  readonly apply: (content: C) => void
  /** The content of a device on which nothing was set up. */
  readonly empty: C
  readonly watch: (listener: () => void) => () => void
  /** Merges the changes made on this device since `common` into the content of the account. */
  readonly join: (common: C | null, local: C, stored: C) => C
  readonly read: () => Promise<{ readonly version: number; readonly content: C | null }>
  readonly write: (version: number, content: C) => Promise<unknown>
}

const WAIT_MS = 2 * SECOND_MS
/** 10 s: the pause before the next attempt after the network failed. */
export const RETRY_MS = 10 * SECOND_MS
/** 3 attempts: another device may write after this device has read and before it writes. */
const MAX_TRIES = 3

/**
 * Keeps the content of the device and of the account the same: immediately, and 2 s after each change on this device.
 * A failed attempt is repeated. Returns a function that stops it: a change that waits is sent at once, unless another user
 * is logged in by then.
 */
export function followAccount<C>(shared: Shared<C>, userId: string): () => void {
  let timer: ReturnType<typeof setTimeout> | null = null
  let isStopped = false
  let running = Promise.resolve()
  const runIn = (waitMs: number) => {
    if (timer !== null) clearTimeout(timer)
    timer = setTimeout(run, waitMs)
  }
  function run() {
    timer = null
    running = running
      .then(() => align(shared, userId, () => isStopped))
      .catch((error: unknown) => {
        // The server would refuse the same content again. The next change or page load sends it.
        if (!isStopped && mayRepeat(error)) runIn(RETRY_MS)
      })
  }
  run()
  const stop = shared.watch(() => runIn(WAIT_MS))
  return () => {
    isStopped = true
    stop()
    if (timer === null) return
    clearTimeout(timer)
    timer = null
    running
      .then(() => align(shared, userId, () => getSession()?.user.id !== userId))
      .catch(() => {
        // The content stays on this device. The next start sends it.
      })
  }
}

/** Whether a failed request can succeed later as it is. */
export function mayRepeat(error: unknown): boolean {
  return !(error instanceof CallFailure && error.kind === 'refused') || [408, 429].includes(error.status)
}

async function align<C>(shared: Shared<C>, userId: string, isStopped: () => boolean): Promise<void> {
  for (let tries = 0; tries < MAX_TRIES && !isStopped(); tries += 1) {
    const stored = await shared.read()
    if (isStopped()) return
    const common = readCommon(shared.key) as { readonly userId: string; readonly content: C | null } | null
    // This account must not get the content of another user of this device.
    const isOfOther = common !== null && common.userId !== userId
    const local = isOfOther ? null : shared.local()
    const joined =
      stored.content === null || local === null
        ? (stored.content ?? local)
        : shared.join(common?.content ?? null, local, stored.content)
    const shown = joined ?? shared.empty
    if (!isSame(shared.local() ?? shared.empty, shown)) shared.apply(shown)
    if (isSame(shown, stored.content ?? shared.empty)) {
      writeCommon(shared.key, userId, joined)
      return
    }
    try {
      await shared.write(stored.version, shown)
      writeCommon(shared.key, userId, shown)
      return
    } catch (error) {
      if (!(error instanceof CallFailure && error.code === 'desk_conflict')) throw error
    }
  }
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}

function readCommon(key: string): { readonly userId: string; readonly content: unknown } | null {
  const { userId, content } = Object(readJson('localStorage', key)) as { userId?: unknown; content?: unknown }
  return typeof userId === 'string' ? { userId, content: content ?? null } : null
}

function writeCommon(key: string, userId: string, content: unknown): void {
  writeItem('localStorage', key, JSON.stringify({ userId, content }))
}
