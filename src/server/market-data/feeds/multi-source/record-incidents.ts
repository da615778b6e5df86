import type { Instant } from '#core/time/instant.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import {
  addIncidents,
  endOpenIncidents,
  type IncidentEnd,
  type IncidentRow,
} from '#server/market-data/feeds/multi-source/incidents.queries.ts'
import type { Feed } from '#server/market-data/feeds/base/feed.ts'
import type { IncidentNote } from '#server/market-data/feeds/multi-source/market-feed-options.ts'
import { runPeriodically } from '#server/platform/jobs/run-periodically.ts'

export interface IncidentRecorder {
  /** Queues the incident and returns at once. */
  note(incident: IncidentNote): void
  /** Writes the queued incidents with one attempt, and ends. */
  stop(): Promise<void>
}

const WRITE_EVERY_MS = 1_000
const MAX_BATCH_ROWS = 500
const MAX_WAITING_ROWS = 5_000
/** Repeated incidents are recorded once per interval, with a count. */
const AGAIN_AFTER_MS = 10_000

/**
 * Writes incidents of the feed to the database in batches, without delaying prices. While the database is unreachable, the oldest incidents
 * are dropped.
 */
export function recordIncidents(ctx: Ctx): IncidentRecorder {
  const waiting: IncidentRow[] = []
  const ends: IncidentEnd[] = []
  const open = new Map<string, string>()
  const lastRecorded = new Map<string, { at: Instant; more: number }>()
  let hasEndedOpenIncidents = false

  function note(incident: IncidentNote): void {
    const key = `${incident.symbolId} ${incident.kind} ${incident.source}`
    if (incident.phase === 'ended') {
      const incidentId = open.get(key)
      open.delete(key)
      if (incidentId !== undefined) ends.push({ incidentId, at: incident.at })
      return
    }
    const lasts = incident.phase === 'began'
    const before = lasts ? undefined : lastRecorded.get(key)
    if (before !== undefined && incident.at - before.at < AGAIN_AFTER_MS) {
      before.more += 1
      return
    }
    if (!lasts) lastRecorded.set(key, { at: incident.at, more: 0 })
    const { phase: _, ...rest } = incident
    const detail =
      before === undefined || before.more === 0 ? rest.detail : `${rest.detail}; ${before.more} more before`
    const row = { ...rest, id: ctx.newId(), lasts, detail }
    if (lasts) open.set(key, row.id)
    waiting.push(row)
    if (waiting.length > MAX_WAITING_ROWS) giveUp(waiting.shift())
  }

  function giveUp(row: IncidentRow | undefined): void {
    ctx.log.warn({ incident: row }, 'a feed incident could not be recorded')
    const at = ends.findIndex(({ incidentId }) => incidentId === row?.id)
    if (at >= 0) ends.splice(at, 1)
    for (const [key, id] of open) if (id === row?.id) open.delete(key)
  }

  async function write(): Promise<void> {
    if (!hasEndedOpenIncidents) {
      await endOpenIncidents(ctx.db, ctx.now())
      hasEndedOpenIncidents = true
    }
    while (waiting.length > 0 || ends.length > 0) {
      const rows = waiting.slice(0, MAX_BATCH_ROWS)
      // The end of an incident is written after its beginning, so ends wait until all beginnings are written.
      const over = rows.length === waiting.length ? ends.slice(0, MAX_BATCH_ROWS) : []
      await addIncidents(ctx.db, rows, over)
      remove(waiting, rows)
      remove(ends, over)
    }
  }

  const end = runPeriodically(ctx, {
    pauseMs: () => WRITE_EVERY_MS,
    run: write,
    failure: 'incidents of the feed could not be written and will be tried again',
  })
  return {
    note,
    async stop() {
      await end()
      await write().catch((error: unknown) => ctx.log.warn({ err: error }, 'incidents of the feed were lost'))
    },
  }
}

/** A feed whose incidents are recorded while it runs. */
export function withIncidents(ctx: Ctx, make: (note: (incident: IncidentNote) => void) => Feed): Feed {
  let recorder: IncidentRecorder | null = null
  const feed = make((incident) => recorder?.note(incident))
  return {
    ...feed,
    async start(sink) {
      recorder = recordIncidents(ctx)
      await feed.start(sink)
    },
    async stop() {
      await feed.stop()
      await recorder?.stop()
    },
  }
}

/** Removes written rows. During the write, other rows may have been added and the oldest rows dropped. */
function remove<T>(from: T[], written: readonly T[]): void {
  const gone = new Set(written)
  const left = from.filter((one) => !gone.has(one))
  from.splice(0, from.length, ...left)
}
