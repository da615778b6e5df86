import { deviceName } from '#core/accounts/device-name.ts'
import { type Instant, minuteText } from '#core/time/instant.ts'
import { staffText } from '#server/platform/i18n/staff-texts.ts'

interface NewDevice {
  readonly site: string
  /** The name of the staff member. */
  readonly name: string
  readonly userAgent: string
  readonly address: string
  readonly at: Instant
}

/** The mail about a log-in to the back office with a new device. */
export function newDeviceMail({ site, name, userAgent, address, at }: NewDevice) {
  return {
    subject: staffText('sessions.mail_subject', { site }),
    text: staffText('sessions.mail', { name, device: deviceName(userAgent) || '–', address, time: minuteText(at) }),
  }
}
