import { z } from 'zod'
import { defineStaffCall } from '#contract/back-office/staff-call.ts'
import { IsoTime } from '#contract/wire.ts'

const Count = z.number().int()
/** The reason shown to users. */
const Words = z.string().trim().max(300)

const MaintenanceRow = z.object({
  id: z.string(),
  from: IsoTime,
  /** The planned end. Null for a maintenance without a planned end. */
  to: IsoTime.nullable(),
  words: z.string(),
  /**
   * A maintenance that staff end after its beginning is `over`. A maintenance that staff end earlier is `cancelled`.
   */
  state: z.enum(['planned', 'running', 'over', 'cancelled']),
  /** When staff cancelled the maintenance, or ended it before its planned end. */
  ended_at: IsoTime.nullable(),
  who: z.string(),
})
export type MaintenanceRow = z.output<typeof MaintenanceRow>

export const staffMaintenance = defineStaffCall({
  method: 'GET',
  path: '/admin/maintenance',
  may: 'dashboard.see',
  summary: 'Times without orders, the latest first, and whether the servers can be stopped.',
  reply: z.object({
    items: z.array(MaintenanceRow),
    /** Open orders that have not expired, and expired orders that wait for their source's history. */
    open_orders: Count,
    waiting_orders: Count,
    ledger: z.enum(['clean', 'broken', 'unchecked']),
    /** The earliest start that gives users enough notice and lets all orders that are open now expire first. */
    earliest: IsoTime,
  }),
  refusals: [],
})

export const staffPlanMaintenance = defineStaffCall({
  method: 'POST',
  path: '/admin/maintenance/plan',
  may: 'maintenance.edit',
  summary:
    'Plans a time without orders, at least ten minutes ahead. From now on no new order may expire after it begins.',
  body: z.object({ from: z.iso.datetime(), to: z.iso.datetime(), words: Words }),
  reply: z.object({ id: z.string() }),
  refusals: [
    'words_needed',
    'maintenance_too_soon',
    'maintenance_overlaps',
    'maintenance_too_long',
    'closure_ends_first',
  ],
})

export const staffPauseTrading = defineStaffCall({
  method: 'POST',
  path: '/admin/maintenance/pause',
  may: 'maintenance.edit',
  summary: 'Stops new orders of everyone at once, until trading is resumed. Open orders settle as usual.',
  body: z.object({ words: Words }),
  reply: z.object({ id: z.string() }),
  refusals: ['words_needed', 'maintenance_overlaps'],
})

export const staffEndMaintenance = defineStaffCall({
  method: 'POST',
  path: '/admin/maintenance/:id/end',
  may: 'maintenance.edit',
  summary: 'Cancels a planned maintenance, or ends a running one or a pause now.',
  params: z.object({ id: z.uuid() }),
  reply: z.null(),
  refusals: ['not_found', 'maintenance_over'],
})
