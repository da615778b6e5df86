import type { StaffReply } from '#back-office/api/call-staff.ts'
import type { staffCalls } from '#contract/back-office/staff-calls.ts'

export type UserData = StaffReply<typeof staffCalls.staffUser>
