import type { Fairness } from '#contract/fairness.ts'
import { Accordion } from '#ui/accordion.tsx'
import { fadeEnds } from '#ui/fade-ends.ts'
import { dayAndTimeText } from '#web/i18n/dates.ts'
import { t } from '#web/i18n/t.ts'

/** The exact query behind each figure. */
export function QueriesShown({ figures }: { figures: Fairness }) {
  return (
    <section aria-labelledby="fairness-queries" className="mt-6">
      <h2 id="fairness-queries" className="mb-2 text-heading">
        {t('fairness.queries_title')}
      </h2>
      <p className="mb-2 text-label text-fg-2">
        {t('fairness.queries_hint', { time: dayAndTimeText(Date.parse(figures.until)) })}
      </p>
      <Accordion
        items={figures.queries.map(({ figure, sql }) => ({
          key: figure,
          title: titleOf(figure),
          content: (
            // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- keyboard users must be able to scroll it
            <pre ref={fadeEnds} tabIndex={0} dir="ltr" className="mono overflow-x-auto text-label">
              {sql}
            </pre>
          ),
        }))}
      />
    </section>
  )
}

function titleOf(figure: Fairness['queries'][number]['figure']): string {
  switch (figure) {
    case 'orders':
      return t('fairness.orders_title')
    case 'losing':
      return t('fairness.losing_title')
    case 'acceptance':
      return t('fairness.accept_title')
    case 'lateness':
      return t('fairness.late_title')
    case 'withdrawals':
      return t('fairness.withdrawals_title')
    case 'pending':
      return t('fairness.pending')
    case 'sales':
      return t('fairness.sold_title')
    case 'expiries':
      return t('fairness.payout')
  }
}
