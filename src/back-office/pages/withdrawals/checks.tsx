import CircleCheck from 'lucide-react/icons/circle-check'
import TriangleAlert from 'lucide-react/icons/triangle-exclamation-point'
import { Block } from '#back-office/detail/facts.tsx'
import type { WithdrawalDetailData } from '#back-office/pages/withdrawals/withdrawal-data.ts'
import { t } from '#back-office/i18n/t.ts'

type Check = WithdrawalDetailData['checks'][number]

/** The checks before a payment, each passed or failed. */
export function Checks({ checks }: { checks: readonly Check[] }) {
  return (
    <Block title={t('withdrawals.checks')}>
      <ul>
        {checks.map((check) => (
          <li key={check.check} className="flex items-start gap-2.5 py-1">
            {check.passed ? (
              <CircleCheck size={17} aria-label={t('withdrawals.check_passed')} className="mt-0.5 shrink-0 text-ok" />
            ) : (
              <TriangleAlert
                size={17}
                aria-label={t('withdrawals.check_failed')}
                className="mt-0.5 shrink-0 text-warn"
              />
            )}
            <span>{textOf(check)}</span>
          </li>
        ))}
      </ul>
    </Block>
  )
}

function textOf({ check, passed, count }: Check): string {
  const params = { count: count ?? 0 }
  switch (check) {
    case 'pin_confirmed':
      return t('withdrawals.passed_pin_confirmed')
    case 'code_confirmed':
    case 'not_confirmed':
      return t(`withdrawals.failed_${check}`)
    case 'email_verified':
    case 'mobile_verified':
    case 'known_details':
    case 'name':
      return passed ? t(`withdrawals.passed_${check}`, params) : t(`withdrawals.failed_${check}`)
    case 'details_stand':
    case 'same_request':
    case 'destination_shared':
    case 'just_returned':
    case 'destination_invalid':
      return t(`withdrawals.failed_${check}`, params)
    case 'pin_age':
      return params.count === 0 ? t('withdrawals.failed_pin_today') : t('withdrawals.failed_pin_age', params)
  }
}
