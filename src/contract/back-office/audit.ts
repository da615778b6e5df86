import { z } from 'zod'
import { PERIOD_FILTERS } from '#contract/back-office/period.ts'
import { defineStaffCall, defineStaffList, optionalFilter } from '#contract/back-office/staff-call.ts'
import { IsoTime } from '#contract/wire.ts'

/** `looked`: the action only reads. `refused` and `failed`: the action changed nothing. */
const ActionOutcome = z.enum(['done', 'looked', 'refused', 'failed'])

const AuditRow = z.object({
  id: z.string(),
  /** The entry's position in the hash chain. Null until the entry is committed. */
  seq: z.number().nullable(),
  at: IsoTime,
  who: z.string(),
  what: z.string(),
  target: z.string(),
  outcome: ActionOutcome,
  reason: z.string(),
  request_id: z.string(),
  address: z.string(),
  /**
   * The name of `target`, such as the label of a setting. Equal to `target` when `target` is a name already. This field
   * is the last, because programs may read the columns of the CSV file by number.
   */
  target_name: z.string(),
})
export type AuditRow = z.output<typeof AuditRow>

export const staffAudit = defineStaffList({
  path: '/admin/audit',
  may: 'audit.see',
  summary: 'All recorded actions, newest first.',
  filters: {
    who: optionalFilter(z.string().trim().max(100)),
    /** The area of the action: `deposits`, `settings`, `staff`. */
    area: optionalFilter(z.string().trim().max(60)),
    target: optionalFilter(z.string().trim().max(200)),
    outcome: optionalFilter(ActionOutcome),
    ...PERIOD_FILTERS,
  },
  row: AuditRow,
})

export const staffAuditLine = defineStaffCall({
  method: 'GET',
  path: '/admin/audit/:id',
  may: 'audit.see',
  summary: 'An entry of the audit log with the values before and after, and its place in the chain.',
  params: z.object({ id: z.uuid() }),
  reply: AuditRow.extend({
    staff_id: z.string().nullable(),
    before: z.unknown(),
    after: z.unknown(),
    previous_hash: z.string().nullable(),
    hash: z.string().nullable(),
  }),
  refusals: ['not_found'],
})

export const staffVerifyAudit = defineStaffCall({
  method: 'POST',
  path: '/admin/audit/verify',
  may: 'audit.see',
  summary:
    'Recalculates the chain of all entries and names the first invalid one. With `noted`, an end from an earlier check, it also finds entries that were cut off.',
  body: z.object({
    noted: z
      .string()
      .trim()
      .regex(/^(?:\d{1,15}:[0-9a-f]{64})?$/)
      .default(''),
  }),
  reply: z.object({
    lines: z.number(),
    /** `number:hash` of the last verified entry. Empty when no entry was verified. */
    end: z.string(),
    broken: z
      .object({
        seq: z.number().nullable(),
        id: z.string().nullable(),
        why: z.enum(['changed', 'moved', 'unchained', 'cut']),
      })
      .nullable(),
  }),
  refusals: [],
})
