import type { UserRow } from '#contract/back-office/users.ts'
import { OutcomePill, Pill } from '#ui/pill.tsx'
import { t } from '#back-office/i18n/t.ts'

/** Marks for unusual states of an account; "Active" when there are none. */
export function UserMarks({ user }: { user: UserRow }) {
  const isPlain = user.may_sign_in && user.trading && user.verified
  return (
    <span className="inline-flex flex-wrap gap-1">
      {!user.may_sign_in && <OutcomePill outcome="rejected">{t('users.sign_in_blocked')}</OutcomePill>}
      {!user.trading && <Pill tone="warn">{t('users.trading_off')}</Pill>}
      {!user.verified && <Pill>{t('users.verified_no')}</Pill>}
      {isPlain && <OutcomePill outcome="success">{t('users.active')}</OutcomePill>}
      {user.is_bot && <Pill>{t('users.bot')}</Pill>}
    </span>
  )
}
