import BadgeCheck from 'lucide-react/icons/badge-check'
import CircleDashed from 'lucide-react/icons/circle-dashed'
import { cx } from '#ui/cx.ts'
import { t } from '#web/i18n/t.ts'

/** Whether something about the account is verified, as icon and word. */
export function VerifiedTag({ isVerified }: { isVerified: boolean }) {
  const Icon = isVerified ? BadgeCheck : CircleDashed
  return (
    <span
      className={cx(
        'inline-flex h-5.5 items-center gap-1 rounded-pill px-2 text-caption font-semibold whitespace-nowrap',
        isVerified ? 'bg-ok-tint text-ok' : 'bg-warn-tint text-warn',
      )}
    >
      <Icon size={13} strokeWidth={2.25} aria-hidden="true" />
      {t(isVerified ? 'account.verified' : 'account.unverified')}
    </span>
  )
}
