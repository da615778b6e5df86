import type { ScreenName } from '#core/navigation/screens.ts'
import { t } from '#web/i18n/t.ts'
import { useAccount } from '#web/session/account.ts'
import { useScreenMatch } from '#web/session/navigation.ts'

/** The screens that are about money or about its rules. Practice has none of it. */
const LIVE_ONLY: readonly ScreenName[] = [
  'wallet',
  'deposit',
  'deposit_history',
  'withdraw',
  'withdrawal_history',
  'withdrawalMethods',
  'PaymentMethod',
  'accountHistory',
  'statement',
  'limits',
]

/** Says on such a screen that it shows the live account, while practice is on. */
export function LiveOnlyStrip() {
  const account = useAccount()
  const { screen } = useScreenMatch()
  if (account === 'live' || !LIVE_ONLY.includes(screen)) return null
  return (
    <p role="note" className="bg-warn-tint px-(--gutter) py-2 text-center text-label font-semibold text-warn">
      {t('shell.practice_live_only')}
    </p>
  )
}
