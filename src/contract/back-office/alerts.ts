import { z } from 'zod'
import { defineStaffCall, defineStaffList, optionalFilter } from '#contract/back-office/staff-call.ts'
import { IsoTime } from '#contract/wire.ts'
import { ALERT_RULE_NAMES, ALERT_SEVERITIES } from '#core/alerts/alert-rules.ts'
import { ROLES } from '#core/staff/permissions.ts'

const Rule = z.enum(ALERT_RULE_NAMES)
const Severity = z.enum(ALERT_SEVERITIES)

const AlertRow = z.object({
  id: z.string(),
  rule: Rule,
  severity: Severity,
  /** One sentence. It names no user and no single payment. */
  text: z.string(),
  opened_at: IsoTime,
  closed_at: IsoTime.nullable(),
  /** The staff member who closed the alert. Null when it closed by itself. */
  closed_by: z.string().nullable(),
  taken_at: IsoTime.nullable(),
  taken_by: z.string().nullable(),
  words: z.string(),
  /** How many times messages about the alert were sent to all its recipients. */
  sent: z.number().int(),
})
export type AlertRow = z.output<typeof AlertRow>

export const staffAlerts = defineStaffList({
  path: '/admin/alerts',
  may: 'alerts.own',
  summary: 'Alerts of the rules that reach the role of the caller, open ones first. Owners see all.',
  filters: { state: optionalFilter(z.enum(['open', 'closed'])) },
  row: AlertRow,
})

const Id = z.object({ id: z.uuid() })

export const staffAlert = defineStaffCall({
  method: 'GET',
  path: '/admin/alerts/:id',
  may: 'alerts.own',
  summary: 'An alert, and whom its messages reached.',
  params: Id,
  reply: AlertRow.extend({
    deliveries: z.array(
      z.object({
        id: z.string(),
        name: z.string(),
        /** The host of the webhook that receives the message. Null: the message is a mail. */
        host: z.string().nullable(),
        at: IsoTime,
        state: z.enum(['sent', 'waiting', 'failed']),
        tries: z.number().int(),
        failure: z.string(),
      }),
    ),
  }),
  refusals: ['not_found'],
})

export const staffTakeAlert = defineStaffCall({
  method: 'POST',
  path: '/admin/alerts/:id/take',
  may: 'alerts.own',
  summary: 'Takes an open alert. Its messages are not repeated any more.',
  params: Id,
  reply: z.null(),
  refusals: ['not_found', 'alert_taken', 'alert_over'],
})

export const staffCloseAlert = defineStaffCall({
  method: 'POST',
  path: '/admin/alerts/:id/close',
  may: 'alerts.own',
  summary: 'Closes an open alert. When its cause lasts, the same rule opens another one.',
  params: Id,
  body: z.object({ words: z.string().trim().max(500).default('') }),
  reply: z.null(),
  refusals: ['not_found', 'alert_over'],
})

const RuleRow = z.object({
  rule: Rule,
  is_on: z.boolean(),
  severity: Severity,
  roles: z.array(z.enum(ROLES)),
  /** The unit of the rule's threshold. Null for a rule without a threshold. */
  unit: z.enum(['minutes', 'hours', 'count', 'money', 'percent']).nullable(),
  /** The threshold in `unit`. `money` is in cents. 0 for a rule without a threshold. */
  threshold: z.number().int(),
  version: z.number().int(),
})
export type AlertRuleRow = z.output<typeof RuleRow>

export const staffAlertRules = defineStaffCall({
  method: 'GET',
  path: '/admin/alert-rules',
  may: 'alerts.edit',
  summary: 'The alert rules: whether each is on, its threshold, its severity and the roles that it reaches.',
  reply: z.object({ rules: z.array(RuleRow) }),
  refusals: [],
})

export const staffSaveAlertRule = defineStaffCall({
  method: 'POST',
  path: '/admin/alert-rules/:rule/save',
  may: 'alerts.edit',
  summary: 'Changes an alert rule. It holds from the next look at the site on.',
  params: z.object({ rule: Rule }),
  body: z.object({
    is_on: z.boolean(),
    severity: Severity,
    roles: z.array(z.enum(ROLES)).max(ROLES.length),
    threshold: z.number().int().min(0).max(1_000_000_000_000),
    version: z.number().int(),
  }),
  reply: z.null(),
  refusals: ['changed_meanwhile', 'roles_needed'],
})

export const staffAlertChannels = defineStaffCall({
  method: 'GET',
  path: '/admin/alert-channels',
  may: 'alerts.own',
  summary: 'The channels by which the caller hears of alerts: mail and webhooks.',
  reply: z.object({
    mail: z.object({ address: z.string(), is_on: z.boolean() }),
    webhooks: z.array(
      z.object({
        id: z.string(),
        host: z.string(),
        /** The last four characters of the secret that signs the messages to the webhook. */
        hint: z.string(),
        created_at: IsoTime,
      }),
    ),
  }),
  refusals: [],
})

export const staffSetAlertMail = defineStaffCall({
  method: 'POST',
  path: '/admin/alert-channels/mail',
  may: 'alerts.own',
  summary: 'Turns the mails about alerts to the caller on or off.',
  body: z.object({ is_on: z.boolean() }),
  reply: z.null(),
  refusals: [],
})

export const staffAddAlertChannel = defineStaffCall({
  method: 'POST',
  path: '/admin/alert-channels/add',
  may: 'alerts.own',
  summary: 'Adds a webhook of the caller. The reply is the only one that has its secret.',
  body: z.object({ url: z.string().trim().max(2_000) }),
  reply: z.object({ id: z.string(), secret: z.string() }),
  refusals: ['channel_address', 'channel_private', 'channel_port', 'channel_not_found', 'too_many_channels'],
})

/** A channel for messages: `mail`, or the id of a webhook. */
const Channel = z.object({ id: z.union([z.literal('mail'), z.uuid()]) })

export const staffTestAlertChannel = defineStaffCall({
  method: 'POST',
  path: '/admin/alert-channels/:id/test',
  may: 'alerts.own',
  summary: 'Sends a test message by one channel of the caller, and answers how long it took.',
  params: Channel,
  reply: z.object({ took_ms: z.number().int() }),
  refusals: ['not_found', 'channel_failed', 'channel_private', 'channel_port', 'channel_not_found', 'mail_needed'],
})

export const staffRemoveAlertChannel = defineStaffCall({
  method: 'POST',
  path: '/admin/alert-channels/:id/remove',
  may: 'alerts.own',
  summary: 'Removes a webhook of the caller.',
  params: Id,
  reply: z.null(),
  refusals: ['not_found'],
})
