import type { AlertRow } from '#contract/back-office/alerts.ts'
import { staffCalls } from '#contract/back-office/staff-calls.ts'
import { ALERT_RULE_NAMES, ALERT_RULES, ALERT_SEVERITIES, type AlertRule } from '#core/alerts/alert-rules.ts'
import { assert, ok, refuse } from '#core/result.ts'
import type { Role } from '#core/staff/permissions.ts'
import { instant, toIso } from '#core/time/instant.ts'
import { recordAction } from '#server/audit/record-action.ts'
import { staleWriteRefusal } from '#server/audit/stale-write.ts'
import { listDeliveries } from '#server/back-office/alerts/alert-channels.queries.ts'
import { readRuleName, readRules, storeRule, type StoredRule } from '#server/back-office/alerts/alert-rules.queries.ts'
import { alertText } from '#server/back-office/alerts/alert-text.ts'
import {
  closeAlert,
  countOpenAlerts,
  findAlert,
  listAlerts,
  type StoredAlert,
  takeAlert,
} from '#server/back-office/alerts/alerts.queries.ts'
import type { RegisterStaff } from '#server/back-office/api/register-staff-call.ts'
import type { RegisterStaffList } from '#server/back-office/api/register-staff-list.ts'
import type { Ctx } from '#server/platform/context/context.ts'
import type { Db } from '#server/platform/database/tables.ts'

/** Registers the calls that show, take and close alerts, and those that change the rules. */
export function alertsRoutes(
  register: RegisterStaff,
  registerList: RegisterStaffList,
  { ctx }: { readonly ctx: Ctx },
): void {
  registerList(staffCalls.staffAlerts, async ({ filters: { state }, after, limit, staff }) => {
    const rules = staff === null ? [] : await rulesOf(ctx.db, staff.role)
    const isOpen = state === undefined ? undefined : state === 'open'
    const alerts = await listAlerts(ctx.db, { rules, isOpen }, { after, limit })
    return alerts.map((alert) => ({
      row: toRow(alert),
      cursor: [alert.closedAt === null ? 1 : 0, alert.openedAt, alert.id],
    }))
  })

  register(staffCalls.staffAlert, async ({ params: { id }, staff }) => {
    const alert = await findFor(ctx.db, staff.role, id)
    if (alert === null) return refuse('not_found')
    const deliveries = await listDeliveries(ctx.db, id)
    return ok({
      ...toRow(alert),
      deliveries: deliveries.map((row) => ({
        id: row.id,
        name: row.name,
        host: row.host,
        at: toIso(instant(row.created_ms)),
        state: row.done_ms !== null ? 'sent' : row.next_ms !== null ? 'waiting' : 'failed',
        tries: row.tries,
        failure: row.failure,
      })),
    })
  })

  register(staffCalls.staffTakeAlert, async ({ params: { id }, staff, actor }) => {
    const alert = await findFor(ctx.db, staff.role, id)
    if (alert === null) return refuse('not_found')
    const isAssigned = await ctx.db.transaction().execute(async (tx) => {
      if (!(await takeAlert(tx, { id, staffId: staff.staffId, now: ctx.now() }))) return false
      await recordAction(tx, ctx, actor, { target: id, outcome: 'done', after: { rule: alert.rule } })
      return true
    })
    if (isAssigned) return ok(null)
    const found = await findAlert(ctx.db, id)
    return refuse(found?.closedAt === null ? 'alert_taken' : 'alert_over')
  })

  register(staffCalls.staffCloseAlert, async ({ params: { id }, body: { words }, staff, actor }) => {
    const alert = await findFor(ctx.db, staff.role, id)
    if (alert === null) return refuse('not_found')
    const isClosed = await ctx.db.transaction().execute(async (tx) => {
      if (!(await closeAlert(tx, { id, staffId: staff.staffId, words, now: ctx.now() }))) return false
      await recordAction(tx, ctx, actor, { target: id, reason: words, outcome: 'done', after: { rule: alert.rule } })
      return true
    })
    return isClosed ? ok(null) : refuse('alert_over')
  })

  rulesRoutes(register, ctx)
}

function rulesRoutes(register: RegisterStaff, ctx: Ctx): void {
  register(staffCalls.staffAlertRules, async () => {
    const rules = await readRules(ctx.db)
    return ok({
      rules: ALERT_RULE_NAMES.map((rule) => {
        const { isOn, severity, roles, threshold, version } = rules[rule]
        return { rule, is_on: isOn, severity, roles: [...roles], threshold, version, unit: ALERT_RULES[rule].unit }
      }),
    })
  })

  register(staffCalls.staffSaveAlertRule, async ({ params: { rule }, body, actor }) => {
    if (body.is_on && body.roles.length === 0) return refuse('roles_needed')
    const { is_on: isOn, severity, threshold, version } = body
    const next: StoredRule = { isOn, severity, roles: [...new Set(body.roles)], threshold, version }
    return await ctx.db.transaction().execute(async (tx) => {
      const { [rule]: before } = await readRules(tx)
      const isStored = before.version === version && (await storeRule(tx, rule, next))
      if (!isStored) return staleWriteRefusal(tx, { target: targetOf(rule), seenVersion: version, actor })
      await recordAction(tx, ctx, actor, {
        target: targetOf(rule),
        outcome: 'done',
        before: facts(before),
        after: facts({ ...next, version: version + 1 }),
      })
      return ok(null)
    })
  })
}

const targetOf = (rule: AlertRule): string => `alert rule ${rule}`

function facts({ isOn, severity, roles, threshold, version }: StoredRule) {
  return { is_on: isOn, severity, roles, threshold, version }
}

/** The rules whose alerts a role sees. Owners see all, so that each alert has a reader. */
async function rulesOf(db: Db, role: Role): Promise<AlertRule[]> {
  const rules = await readRules(db)
  return ALERT_RULE_NAMES.filter((rule) => role === 'owner' || rules[rule].roles.includes(role))
}

/** Counts the open alerts that a role sees. */
export async function countAlertsOf(db: Db, role: Role): Promise<number> {
  return await countOpenAlerts(db, await rulesOf(db, role))
}

async function findFor(db: Db, role: Role, id: string): Promise<StoredAlert | null> {
  const alert = await findAlert(db, id)
  const rules: readonly string[] = await rulesOf(db, role)
  return alert !== null && rules.includes(alert.rule) ? alert : null
}

function toRow(alert: StoredAlert): AlertRow {
  const rule = readRuleName(alert.rule)
  const severity = ALERT_SEVERITIES.find((one) => one === alert.severity)
  assert(rule !== null && severity !== undefined, 'only known rules are listed')
  return {
    id: alert.id,
    rule,
    severity,
    text: alertText(rule, alert.facts),
    opened_at: toIso(alert.openedAt),
    closed_at: alert.closedAt === null ? null : toIso(alert.closedAt),
    closed_by: alert.closedBy,
    taken_at: alert.assignedAt === null ? null : toIso(alert.assignedAt),
    taken_by: alert.assigneeName,
    words: alert.words,
    sent: alert.sent,
  }
}
