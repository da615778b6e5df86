import type { staffCalls } from '#contract/back-office/staff-calls.ts'
import type { StaffReply } from '#back-office/api/call-staff.ts'

export type ArrivalData = StaffReply<typeof staffCalls.staffArrival>
