import { cx } from '#ui/cx.ts'
import { Block } from '#back-office/detail/facts.tsx'
import { money, shortTime } from '#back-office/i18n/format.ts'
import type { WithdrawalDetailData } from '#back-office/pages/withdrawals/withdrawal-data.ts'
import { transferName } from '#back-office/i18n/plain-words.ts'
import { type BackOfficeKey, t } from '#back-office/i18n/t.ts'

const NAMES: Readonly<Record<string, BackOfficeKey>> = {
  withdrawal_request: 'withdrawals.move_withdrawal_request',
  withdrawal_paid: 'withdrawals.move_withdrawal_paid',
  withdrawal_fee: 'withdrawals.move_withdrawal_fee',
  withdrawal_rejected: 'withdrawals.move_withdrawal_rejected',
  withdrawal_cancelled: 'withdrawals.move_withdrawal_cancelled',
  withdrawal_failed: 'withdrawals.move_withdrawal_failed',
  withdrawal_returned: 'withdrawals.move_withdrawal_returned',
  withdrawal_fee_returned: 'withdrawals.move_withdrawal_fee_returned',
}

/** The ledger transfers of a withdrawal. The transfers that its payment would add are grey. */
export function LedgerEntries({ moves }: { moves: WithdrawalDetailData['moves'] }) {
  return (
    <Block title={t('withdrawals.ledger')}>
      <dl>
        {moves.map(({ kind, at, amount }) => {
          const name = NAMES[kind]
          const move = name === undefined ? transferName(kind) : t(name)
          return (
            <div key={kind} className={cx('flex justify-between gap-4 py-1', at === null && 'text-fg-3')}>
              <dt>
                {at === null
                  ? t('withdrawals.on_payment', { move: move.charAt(0).toLowerCase() + move.slice(1) })
                  : t('withdrawals.moved_at', { move, time: shortTime(at) })}
              </dt>
              <dd className={cx('num', at !== null && 'font-semibold')}>{money(amount)}</dd>
            </div>
          )
        })}
      </dl>
    </Block>
  )
}
