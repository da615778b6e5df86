import { readResetAddress } from '#core/accounts/reset-address.ts'
import { usernameKey } from '#core/accounts/username.ts'
import type { Db } from '#server/platform/database/tables.ts'
import type { IsOwnDevice } from '#server/platform/http/stranger-gate.ts'
import { isDeviceOfAddress } from '#server/users/password-reset/password-reset.queries.ts'
import { isProvenDevice, knownDevice } from '#server/users/sessions/devices.queries.ts'
import { isKnownStaffDevice } from '#server/back-office/staff-sessions/staff-devices.queries.ts'

/**
 * Creates a check of a device for anonymous calls that give a user name or a verified address. The check returns
 * whether the device belongs to the account with this name or address. A call without a name, such as a passkey log-in,
 * matches a device of any account with a verified address. Staff devices match every call.
 */
export function createIsOwnDevice(db: Db): IsOwnDevice {
  return async (device, owner) => {
    if (await isKnownStaffDevice(db, device)) return true
    if (owner === null) return isProvenDevice(db, device)
    if ((await knownDevice(db, usernameKey(owner), device)) !== null) return true
    const address = readResetAddress(owner)
    // Looking up a phone number is costly. Most unknown callers use no device of any user, which the first check finds
    // out cheaply.
    return address !== null && (await isProvenDevice(db, device)) && (await isDeviceOfAddress(db, device, address))
  }
}
