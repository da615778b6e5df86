import { readResetAddress } from '#core/accounts/reset-address.ts'
import { usernameKey } from '#core/accounts/username.ts'
import type { Db } from '#server/platform/database/tables.ts'
import type { IsOwnDevice } from '#server/platform/http/stranger-gate.ts'
import { isDeviceOfAddress } from '#server/users/password-reset/password-reset.queries.ts'
import { isProvenDevice, knownDevice } from '#server/users/sessions/devices.queries.ts'
import { isKnownStaffDevice } from '#server/back-office/staff-sessions/staff-devices.queries.ts'

/**
 * Tells whether a device belongs to the account that a stranger names, by its name or its proven address. A call that
 * names none, as a log-in with a passkey, counts a device of anybody who has proved an address; all calls count one of staff.
 */
export function createIsOwnDevice(db: Db): IsOwnDevice {
  return async (device, owner) => {
    if (await isKnownStaffDevice(db, device)) return true
    if (owner === null) return isProvenDevice(db, device)
    if ((await knownDevice(db, usernameKey(owner), device)) !== null) return true
    const address = readResetAddress(owner)
    return address !== null && (await isDeviceOfAddress(db, device, address))
  }
}
