import type { StaffReply } from '#back-office/api/call-staff.ts'
import type { staffCalls } from '#contract/back-office/staff-calls.ts'
import type { SettingOut } from '#contract/back-office/settings.ts'

export type SettingsData = StaffReply<typeof staffCalls.staffSettings>
export type SettingValue = SettingOut['value']
