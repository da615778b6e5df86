import type { Announcement } from '#server/platform/runtime/events.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import { readAnnouncements, writeAnnouncements } from '#server/app/cluster/event-codec.ts'
import type { Bus } from '#server/platform/cluster/bus.ts'
import { repeat } from '#server/platform/jobs/run-periodically.ts'

export interface RelayParts {
  readonly ctx: Ctx
  readonly bus: Bus
  /** Whether anybody is there to be told. */
  readonly hasOthers: () => boolean
  /** Whether somebody who is there does not hear at once what is said. */
  readonly isAnyoneDeaf: () => boolean
  /** Reads again what this server keeps in memory of what the operator says. */
  readonly reload: () => Promise<void>
}

export interface NewsRelay {
  /** Something was, or may have been, missed. */
  missed(): void
  stop(): Promise<void>
}

/** Far below what one message of NATS may hold. */
const MOST_IN_MESSAGE = 500
/** A message that was never sent, because its server died first, leaves no gap behind. */
const REREAD_MS = 15_000
const DEAF_REREAD_MS = 2_000
const SWITCHES: ReadonlySet<Announcement['kind']> = new Set([
  'markets-changed',
  'settings-changed',
  'back-office-changed',
])

/**
 * Tells other servers what was announced here, and announces here what they tell. Before a change of settings or markets
 * is announced, it is read. Nothing depends on it for being right: what is missed is read again from the database.
 */
export function relayNews({ ctx, bus, hasOthers, isAnyoneDeaf, reload }: RelayParts): NewsRelay {
  let isTheirs = false
  let waiting: Announcement[] = []
  let reloading: Promise<void> = Promise.resolve()

  const stopHearing = ctx.onAnnouncement((announcement) => {
    if (isTheirs || !hasOthers()) return
    waiting.push(announcement)
    // All of a batch go together.
    if (waiting.length === 1) queueMicrotask(send)
    if (waiting.length >= MOST_IN_MESSAGE) send()
  })

  function send(): void {
    if (waiting.length === 0) return
    const all = waiting
    waiting = []
    bus.publish('news', writeAnnouncements(all))
  }

  function announceHere(announcement: Announcement): void {
    isTheirs = true
    try {
      ctx.announce(announcement)
    } finally {
      isTheirs = false
    }
  }

  function reloadThen(run: () => void): void {
    reloading = reloading
      .then(reload)
      .then(run)
      .catch((error: unknown) => ctx.log.warn({ err: error }, 'what another server changed could not be read'))
  }

  const stopListening = bus.onMessage('news', (body) => {
    for (const announcement of readAnnouncements(body)) {
      if (SWITCHES.has(announcement.kind)) reloadThen(() => announceHere(announcement))
      else announceHere(announcement)
    }
  })
  const missed = (): void => reloadThen(() => announceHere({ kind: 'news-missed' }))
  const stopGaps = bus.onGap(missed)
  const stopRereading = repeat(ctx, {
    pauseMs: () => (isAnyoneDeaf() ? DEAF_REREAD_MS : REREAD_MS),
    run: async () => {
      if (isAnyoneDeaf()) missed()
      else if (hasOthers()) reloadThen(() => {})
      await reloading
    },
    failure: 'what other servers changed could not be read',
  })

  return {
    missed,
    async stop() {
      stopHearing()
      stopListening()
      stopGaps()
      await stopRereading()
      await reloading
    },
  }
}
