import type { StaffOut } from '#contract/back-office/session.ts'
import { Alert } from '#ui/alert.tsx'
import { Link } from '#ui/link.tsx'
import { time } from '#back-office/i18n/format.ts'
import { t } from '#back-office/i18n/t.ts'

/** A log-in with a device that the staff member has not used before. */
export function NewDevice({ at, device, address }: NonNullable<StaffOut['new_device']>) {
  return (
    <Alert tone="danger" className="m-4 md:mx-6">
      {t('sessions.new_device', { device: device || '–', address, time: time(at) })}{' '}
      <Link href="/admin/sessions" className="font-semibold text-brand">
        {t('sessions.show')}
      </Link>
    </Alert>
  )
}
