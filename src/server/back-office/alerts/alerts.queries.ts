import { sql } from 'kysely'
import { z } from 'zod'
import {
  ALERT_RULES,
  type AlertFacts,
  type AlertRule,
  type AlertSeverity,
  type Firing,
} from '#core/alerts/alert-rules.ts'
import { type Instant, instant, later, MINUTE_MS } from '#core/time/instant.ts'
import { type Keyset, type Page, pageAfter } from '#server/platform/database/keyset-pagination.ts'
import type { Db, Tx } from '#server/platform/database/tables.ts'

/**
 * 15 min: a cause that comes back within this time continues its alert, so that a state that changes often raises one
 * alert.
 */
const REOPENS_MS = 15 * MINUTE_MS

const Facts = z.record(z.string(), z.union([z.string(), z.number()]))

export interface StoredAlert {
  readonly id: string
  readonly rule: string
  readonly severity: string
  readonly facts: AlertFacts
  readonly openedAt: Instant
  readonly closedAt: Instant | null
  readonly closedBy: string | null
  readonly assignedAt: Instant | null
  readonly assigneeName: string | null
  readonly words: string
  readonly sent: number
}

/**
 * Opens an alert, continues one that just closed by itself, or updates the facts of the open one. An alert that was
 * taken before it closed is sent again when it continues, because its assignee may have stopped watching. An event that
 * staff have closed stays closed. Returns whether something changed.
 */
export async function fireAlert(
  tx: Tx,
  { rule, key, facts }: Firing,
  { id, severity, now }: { readonly id: string; readonly severity: AlertSeverity; readonly now: Instant },
): Promise<boolean> {
  const last = await tx
    .selectFrom('alert')
    .select(['id', 'facts', 'closed_ms', 'closed_by', 'taken_ms'])
    .where('rule', '=', rule)
    .where('key', '=', key)
    .orderBy('opened_ms', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .forUpdate()
    .executeTakeFirst()
  const isOpen = last !== undefined && last.closed_ms === null
  if (isOpen && isSame(last.facts, facts)) return false
  if (last !== undefined && (isOpen || continues(last, now))) {
    const wasAssigned = !isOpen && last.taken_ms !== null
    await tx
      .updateTable('alert')
      .set({ facts: JSON.stringify(facts), closed_ms: null })
      .$if(wasAssigned, (query) => query.set({ taken_ms: null, taken_by: null, next_ms: now }))
      .where('id', '=', last.id)
      .execute()
    return true
  }
  if (last !== undefined && ALERT_RULES[rule].isEvent) return false
  await tx
    .insertInto('alert')
    .values({ id, rule, key, severity, facts: JSON.stringify(facts), opened_ms: now, next_ms: now })
    .execute()
  return true
}

function isSame(stored: unknown, facts: AlertFacts): boolean {
  const one = Object.entries(Facts.parse(stored)).toSorted(([a], [b]) => a.localeCompare(b))
  const other = Object.entries(facts).toSorted(([a], [b]) => a.localeCompare(b))
  return JSON.stringify(one) === JSON.stringify(other)
}

function continues(
  { closed_ms: closed, closed_by: by }: { closed_ms: bigint | null; closed_by: string | null },
  now: Instant,
) {
  return by === null && closed !== null && now - Number(closed) < REOPENS_MS
}

/** Closes the open alerts whose cause ended. Events stay open. Returns how many were closed. */
export async function closeEnded(tx: Tx, firings: readonly Firing[], now: Instant): Promise<number> {
  const open = await tx.selectFrom('alert').select(['id', 'rule', 'key']).where('closed_ms', 'is', null).execute()
  const lasting = new Set(firings.map(({ rule, key }) => `${rule} ${key}`))
  const events = new Set<string>(Object.entries(ALERT_RULES).flatMap(([rule, { isEvent }]) => (isEvent ? [rule] : [])))
  const closing = open.filter(({ rule, key }) => !events.has(rule) && !lasting.has(`${rule} ${key}`))
  if (closing.length === 0) return 0
  await tx
    .updateTable('alert')
    // The next message stays planned, because the cause may come back.
    .set({ closed_ms: now })
    .where(
      'id',
      'in',
      closing.map(({ id }) => id),
    )
    .where('closed_ms', 'is', null)
    .execute()
  return closing.length
}

interface DueAlert {
  readonly id: string
  readonly rule: string
  readonly sent: number
}

/** Locks the alerts that are due to be sent to channels now. */
export async function lockDue(tx: Tx, now: Instant): Promise<DueAlert[]> {
  return await tx
    .selectFrom('alert')
    .select(['id', 'rule', 'sent'])
    .where('next_ms', '<=', BigInt(now))
    .where('closed_ms', 'is', null)
    .where('taken_ms', 'is', null)
    .orderBy('next_ms')
    .limit(50)
    .forUpdate()
    .skipLocked()
    .execute()
}

export async function noteSent(
  tx: Tx,
  id: string,
  { sent, nextAt }: { readonly sent: number; readonly nextAt: Instant },
) {
  await tx.updateTable('alert').set({ sent, next_ms: nextAt }).where('id', '=', id).execute()
}

/**
 * Marks an open alert as taken by a staff member, so that it is not repeated. Returns false when the alert is closed or
 * already taken.
 */
export async function takeAlert(
  tx: Tx,
  { id, staffId, now }: { readonly id: string; readonly staffId: string; readonly now: Instant },
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('alert')
    .set({ taken_ms: now, taken_by: staffId, next_ms: null })
    .where('id', '=', id)
    .where('closed_ms', 'is', null)
    .where('taken_ms', 'is', null)
    .executeTakeFirstOrThrow()
  return numUpdatedRows === 1n
}

export async function closeAlert(
  tx: Tx,
  {
    id,
    staffId,
    words,
    now,
  }: { readonly id: string; readonly staffId: string; readonly words: string; readonly now: Instant },
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('alert')
    .set({ closed_ms: now, closed_by: staffId, words, next_ms: null })
    .where('id', '=', id)
    .where('closed_ms', 'is', null)
    .executeTakeFirstOrThrow()
  return numUpdatedRows === 1n
}

const IS_OPEN = sql<number>`(case when a.closed_ms is null then 1 else 0 end)`
const OPEN_FIRST: Keyset = {
  columns: [
    [IS_OPEN, 'int4'],
    ['a.opened_ms', 'int8'],
    ['a.id', 'uuid'],
  ],
  order: 'desc',
}

/** Lists alerts of some rules: open ones first, then the newest first. */
export async function listAlerts(
  db: Db,
  { rules, isOpen }: { readonly rules: readonly AlertRule[]; readonly isOpen: boolean | undefined },
  page: Page,
): Promise<StoredAlert[]> {
  if (rules.length === 0) return []
  const all = alertRows(db)
    .where('a.rule', 'in', rules)
    .$if(isOpen !== undefined, (query) => query.where('a.closed_ms', isOpen === true ? 'is' : 'is not', null))
  return (await pageAfter(all, OPEN_FIRST, page).execute()).map(toAlert)
}

export async function findAlert(db: Db | Tx, id: string): Promise<StoredAlert | null> {
  const row = await alertRows(db).where('a.id', '=', id).executeTakeFirst()
  return row ? toAlert(row) : null
}

export async function countOpenAlerts(db: Db, rules: readonly AlertRule[]): Promise<number> {
  if (rules.length === 0) return 0
  const { alerts } = await db
    .selectFrom('alert')
    .select((of) => of.fn.countAll<bigint>().as('alerts'))
    .where('closed_ms', 'is', null)
    .where('rule', 'in', rules)
    .executeTakeFirstOrThrow()
  return Number(alerts)
}

/** 90 days. */
const RETENTION_MS = 90 * 24 * 60 * MINUTE_MS

/** Deletes alerts that closed more than 90 days ago, with their messages. The audit log keeps the actions of staff. */
export async function deleteOldStaffAlerts(db: Db, now: Instant): Promise<void> {
  await db
    .deleteFrom('alert')
    .where('closed_ms', '<', BigInt(later(now, -RETENTION_MS)))
    .execute()
}

function alertRows(db: Db | Tx) {
  return db
    .selectFrom('alert as a')
    .leftJoin('staff as c', 'c.id', 'a.closed_by')
    .leftJoin('staff as t', 't.id', 'a.taken_by')
    .select([
      'a.id',
      'a.rule',
      'a.severity',
      'a.facts',
      'a.opened_ms',
      'a.closed_ms',
      'a.taken_ms',
      'a.words',
      'a.sent',
    ])
    .select(['c.name as closed_by', 't.name as taken_by'])
}

function toAlert(row: Awaited<ReturnType<ReturnType<typeof alertRows>['execute']>>[number]): StoredAlert {
  return {
    id: row.id,
    rule: row.rule,
    severity: row.severity,
    facts: Facts.parse(row.facts),
    openedAt: instant(row.opened_ms),
    closedAt: row.closed_ms === null ? null : instant(row.closed_ms),
    closedBy: row.closed_by,
    assignedAt: row.taken_ms === null ? null : instant(row.taken_ms),
    assigneeName: row.taken_by,
    words: row.words,
    sent: row.sent,
  }
}
