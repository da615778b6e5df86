import { judgeAlerts, repeatPauseMs } from '#core/alerts/alert-rules.ts'
import { type Instant, later, MINUTE_MS, SECOND_MS } from '#core/time/instant.ts'
import { addDeliveries } from '#server/back-office/alerts/alert-channels.queries.ts'
import { readRuleName, readRules, type StoredRules } from '#server/back-office/alerts/alert-rules.queries.ts'
import { closeEnded, fireAlert, lockDue, noteSent } from '#server/back-office/alerts/alerts.queries.ts'
import { readSiteState, type SiteStateParts } from '#server/back-office/alerts/read-site-state.ts'
import { runPeriodically } from '#server/platform/jobs/run-periodically.ts'

/** 5 s: staff learn of an outage within seconds, and the reads cost a few milliseconds. */
const EVERY_MS = 5 * SECOND_MS

/** The state that each round passes to the next. The steady clock, which no one can set, gives its times. */
interface AlertMemory {
  readonly badSince: Map<number, number>
  readonly sentAt: Map<string, number>
}

export function emptyMemory(): AlertMemory {
  return { badSince: new Map(), sentAt: new Map() }
}

/** Opens, repeats and closes alerts. Returns a function that stops it. */
export function watchAlerts(parts: SiteStateParts): () => Promise<void> {
  const memory = emptyMemory()
  return runPeriodically(parts.ctx, {
    pauseMs: () => EVERY_MS,
    run: () => judgeOnce(parts, memory),
    failure: 'alerts could not be judged',
  })
}

/** Runs one round of the job: reads the state of the site, opens, repeats and closes alerts, and adds due messages. */
export async function judgeOnce(parts: SiteStateParts, memory: AlertMemory): Promise<void> {
  const { ctx } = parts
  const state = await readSiteState(parts, memory.badSince)
  const hasChanged = await ctx.db.transaction().execute(async (tx) => {
    const rules = await readRules(tx)
    const firings = judgeAlerts(state, rules)
    const now = ctx.now()
    let changes = await closeEnded(tx, firings, now)
    for (const firing of firings) {
      const { severity } = rules[firing.rule]
      if (await fireAlert(tx, firing, { id: ctx.newId(), severity, now })) changes += 1
    }
    return changes > 0
  })
  const hasSent = await tellDue(parts, memory)
  if (hasChanged || hasSent) ctx.publish({ kind: 'back-office-changed', area: 'alerts' })
}

/**
 * Adds the messages about alerts that are due. Returns whether there were any. Even when someone sets the clock, an
 * alert is sent at most once a minute.
 */
async function tellDue({ ctx }: SiteStateParts, { sentAt }: AlertMemory): Promise<boolean> {
  const steady = ctx.clock.steady()
  for (const [id, at] of sentAt) if (steady - at >= MINUTE_MS) sentAt.delete(id)
  const sent = await ctx.db.transaction().execute(async (tx) => {
    const now: Instant = ctx.now()
    const rules: StoredRules = await readRules(tx)
    const due = (await lockDue(tx, now)).filter(({ id }) => !sentAt.has(id))
    for (const { id, rule, sent: before } of due) {
      const name = readRuleName(rule)
      if (name !== null) await addDeliveries(tx, { alertId: id, roles: rules[name].roles, now })
      await noteSent(tx, id, { sent: before + 1, nextAt: later(now, repeatPauseMs(before + 1)) })
    }
    return due.map(({ id }) => id)
  })
  for (const id of sent) sentAt.set(id, steady)
  return sent.length > 0
}
