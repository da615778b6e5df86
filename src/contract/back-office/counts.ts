import { z } from 'zod'
import { defineStaffCall } from '#contract/back-office/staff-call.ts'

const Count = z.number().int().nullable()

export const staffCounts = defineStaffCall({
  method: 'GET',
  path: '/admin/counts',
  may: 'staff',
  summary: 'The number of pending entries in each queue; null for queues that the role cannot see.',
  reply: z.object({
    deposits: Count,
    withdrawals: Count,
    corrections: Count,
    recoveries: Count,
    tickets: Count,
    changes: Count,
    alerts: Count,
  }),
  refusals: [],
})
