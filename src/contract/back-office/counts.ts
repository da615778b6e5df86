import { z } from 'zod'
import { defineStaffCall } from '#contract/back-office/staff-call.ts'

const Count = z.number().int().nullable()

export const staffCounts = defineStaffCall({
  method: 'GET',
  path: '/admin/counts',
  may: 'staff',
  summary: 'How much waits in each queue; null for queues that the role does not see.',
  reply: z.object({ deposits: Count, withdrawals: Count, corrections: Count, changes: Count }),
  refusals: [],
})
