import type { DomainEvent } from '#server/platform/runtime/events.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import { readEvents, writeEvents } from '#server/app/cluster/event-codec.ts'
import type { Bus } from '#server/platform/cluster/bus.ts'
import { runPeriodically } from '#server/platform/jobs/run-periodically.ts'

export interface RelayParts {
  readonly ctx: Ctx
  readonly bus: Bus
  /** Returns whether other nodes are in the cluster. */
  readonly hasOthers: () => boolean
  /** Returns whether a live node does not receive messages over the bus. */
  readonly hasDisconnectedNode: () => boolean
  /** Reloads the settings and markets that this server keeps in memory. */
  readonly reload: () => Promise<void>
}

export interface EventRelay {
  /** Reloads everything, because events were or may have been missed. */
  onEventsMissed(): void
  stop(): Promise<void>
}

/** 500 events stay far below the size limit of one NATS message. */
const MAX_EVENTS_PER_MESSAGE = 500
/**
 * 15 s. When a server dies before it sends a message, the receivers see no gap, so each node also reloads periodically.
 * A single server reloads too, because an operator's command that does not reach it changes the database.
 */
const REREAD_MS = 15_000
const DEAF_REREAD_MS = 2_000
const SWITCHES: ReadonlySet<DomainEvent['kind']> = new Set([
  'markets-changed',
  'settings-changed',
  'back-office-changed',
])

/**
 * Sends the events of this server to other servers, and publishes the events of other servers here. Settings and
 * markets are reloaded before their change is published. Correctness does not depend on the relay: missed changes are
 * read from the database.
 */
export function relayEvents({ ctx, bus, hasOthers, hasDisconnectedNode, reload }: RelayParts): EventRelay {
  let isTheirs = false
  let waiting: DomainEvent[] = []
  let reloading: Promise<void> = Promise.resolve()

  const stopHearing = ctx.subscribe((announcement) => {
    if (isTheirs || !hasOthers()) return
    waiting.push(announcement)
    // All events of one batch go into one message.
    if (waiting.length === 1) queueMicrotask(send)
    if (waiting.length >= MAX_EVENTS_PER_MESSAGE) send()
  })

  function send(): void {
    if (waiting.length === 0) return
    const all = waiting
    waiting = []
    bus.publish('news', writeEvents(all))
  }

  function publishHere(announcement: DomainEvent): void {
    isTheirs = true
    try {
      ctx.publish(announcement)
    } finally {
      isTheirs = false
    }
  }

  function reloadThen(run: () => void): void {
    reloading = reloading
      .then(reload)
      .then(run)
      .catch((error: unknown) =>
        ctx.log.warn({ err: error }, 'cannot reload settings and markets after a change on another server'),
      )
  }

  const stopListening = bus.onMessage('news', (body) => {
    for (const announcement of readEvents(body)) {
      if (SWITCHES.has(announcement.kind)) reloadThen(() => publishHere(announcement))
      else publishHere(announcement)
    }
  })
  const onEventsMissed = (): void => reloadThen(() => publishHere({ kind: 'events-missed' }))
  const stopGaps = bus.onGap(onEventsMissed)
  const stopRereading = runPeriodically(ctx, {
    pauseMs: () => (hasDisconnectedNode() ? DEAF_REREAD_MS : REREAD_MS),
    run: async () => {
      if (hasDisconnectedNode()) onEventsMissed()
      else reloadThen(() => {})
      await reloading
    },
    failure: 'cannot reload settings and markets periodically',
  })

  return {
    onEventsMissed,
    async stop() {
      stopHearing()
      stopListening()
      stopGaps()
      await stopRereading()
      await reloading
    },
  }
}
