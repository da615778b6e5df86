import type { staffCalls } from '#contract/back-office/staff-calls.ts'
import type { StaffReply } from '#back-office/api/call-staff.ts'

/** The rules in force, the countries, and where countries of addresses are read from. */
export type CountriesState = StaffReply<typeof staffCalls.staffCountries>
