import { Block } from '#back-office/detail/facts.tsx'
import { time } from '#back-office/i18n/format.ts'
import type { WithdrawalDetailData } from '#back-office/pages/withdrawals/withdrawal-data.ts'
import { t } from '#back-office/i18n/t.ts'

/** Each step of a withdrawal: when, by whom, what the user reads, and what only staff read. */
export function Timeline({ steps }: Pick<WithdrawalDetailData, 'steps'>) {
  return (
    <Block title={t('withdrawals.timeline')}>
      <ol className="flex flex-col gap-2">
        {steps.map(({ step, at, who, words, reason }, place) => (
          // oxlint-disable-next-line react/no-array-index-key -- steps are only added, and one step can be taken twice
          <li key={place}>
            <p className="flex flex-wrap justify-between gap-x-4">
              <span>{t(`withdrawals.step_${step}`)}</span>
              <span className="num text-fg-2">{[who, time(at)].filter((part) => part !== '').join(', ')}</span>
            </p>
            {[words, reason]
              .filter((text) => text !== '')
              .map((text) => (
                <p key={text} className="text-caption break-words text-fg-3">
                  {text}
                </p>
              ))}
          </li>
        ))}
      </ol>
    </Block>
  )
}
