import BadgeCheck from 'lucide-react/icons/badge-check'
import CircleDashed from 'lucide-react/icons/circle-dashed'
import { cx } from '#ui/cx.ts'
import { t } from '#web/i18n/t.ts'

/** Shows whether the user's contact address is verified. */
export function ContactTag({ isVerified }: { isVerified: boolean }) {
  return <Tag isGood={isVerified}>{t(isVerified ? 'account.contact_verified' : 'account.contact_unverified')}</Tag>
}

/** Shows whether the profile is complete. */
export function ProfileTag({ isComplete }: { isComplete: boolean }) {
  return <Tag isGood={isComplete}>{t(isComplete ? 'account.profile_complete' : 'account.profile_incomplete')}</Tag>
}

function Tag({ isGood, children }: { isGood: boolean; children: string }) {
  const Icon = isGood ? BadgeCheck : CircleDashed
  return (
    <span
      className={cx(
        'inline-flex min-h-5.5 items-center gap-1 rounded-pill px-2 py-0.5 text-caption font-semibold',
        isGood ? 'bg-ok-tint text-ok' : 'bg-warn-tint text-warn',
      )}
    >
      <Icon size={13} strokeWidth={2.25} aria-hidden="true" />
      {children}
    </span>
  )
}
