import { z } from 'zod'
import { defineStaffCall, defineStaffList, optionalFilter } from '#contract/back-office/staff-call.ts'
import { IsoTime } from '#contract/wire.ts'
import { CHANGE_KINDS, type ChangeKind } from '#core/staff/change-kinds.ts'

/** The pending change of an object, or null when none is pending. `applies_at` is null until a second person agrees. */
export const Pending = z.object({ id: z.string(), applies_at: IsoTime.nullable() }).nullable()
export type Pending = z.output<typeof Pending>

/** Reasons to refuse an edit that needs a decision by two people. */
export const ASK_REFUSALS = ['not_approver', 'change_pending', 'second_person_needed'] as const

const ChangeRow = z.object({
  id: z.string(),
  kind: z.enum(Object.keys(CHANGE_KINDS) as [ChangeKind, ...ChangeKind[]]),
  /** The stored name of the changed object, for programs. */
  subject: z.string(),
  /** The changed object as staff know it: the labels of the settings that change, or the same as `subject`. */
  subject_name: z.string(),
  state: z.enum(['asked', 'waiting', 'in_force', 'cancelled', 'failed']),
  /** The fields that change, with their values as text. */
  lines: z.array(z.object({ field: z.string(), before: z.string(), after: z.string() })),
  reason: z.string(),
  content_hash: z.string(),
  asked_by: z.string(),
  asked_at: IsoTime,
  second_by: z.string().nullable(),
  applies_at: IsoTime.nullable(),
  ended_by: z.string(),
  ended_at: IsoTime.nullable(),
  /** Whether the caller can give the second approval, and whether they can cancel. */
  may_second: z.boolean(),
  may_cancel: z.boolean(),
})
export type ChangeRow = z.output<typeof ChangeRow>

export const staffChanges = defineStaffList({
  path: '/admin/changes',
  may: 'staff',
  summary: 'Changes that wait for a second person or for their time, and those that are over, newest first.',
  filters: { state: optionalFilter(z.enum(['open', 'all'])) },
  row: ChangeRow,
})

const Id = z.object({ id: z.uuid() })
const DECIDE_REFUSALS = [
  'not_found',
  'change_over',
  'content_changed',
  'not_approver',
  'not_independent',
  'second_person_needed',
  'not_allowed',
] as const

export const staffAskChange = defineStaffCall({
  method: 'POST',
  path: '/admin/changes/ask',
  may: 'staff.manage',
  summary:
    'Requests that a staff member becomes an approver. A second approver has to agree, and then the change waits.',
  body: z.object({ kind: z.literal('approver'), staff_id: z.uuid(), reason: z.string().trim().max(500) }),
  reply: z.object({ pending: Pending }),
  refusals: ['not_found', 'reason_needed', 'not_yourself', 'is_approver', ...ASK_REFUSALS],
})

export const staffSecondChange = defineStaffCall({
  method: 'POST',
  path: '/admin/changes/:id/second',
  may: 'staff',
  summary: 'Agrees to a change as the second approver. The change then waits for its time.',
  params: Id,
  body: z.object({ content_hash: z.string().max(100) }),
  reply: z.object({ pending: Pending }),
  refusals: DECIDE_REFUSALS,
})

export const staffCancelChange = defineStaffCall({
  method: 'POST',
  path: '/admin/changes/:id/cancel',
  may: 'staff',
  summary: 'Cancels a change that is not in force yet. Only owners and the requester can cancel it.',
  params: Id,
  reply: z.null(),
  refusals: DECIDE_REFUSALS,
})
