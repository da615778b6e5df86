import type { ReadyMethod } from '#contract/back-office/payment-files.ts'
import { staffCalls } from '#contract/back-office/staff-calls.ts'
import { Button } from '#ui/button.tsx'
import { SkeletonRows } from '#ui/states.tsx'
import { useStaffQuery } from '#back-office/api/queries.ts'
import { payment } from '#back-office/i18n/format.ts'
import { LoadFailure } from '#back-office/list/load-failure.tsx'
import { useMay } from '#back-office/session/staff.ts'
import { t } from '#back-office/i18n/t.ts'

/** The approved withdrawals by method, with count and sum. A method can be chosen to make a payment file. */
export function ReadyMethods({ onChoose }: { onChoose: (method: ReadyMethod) => void }) {
  const query = useStaffQuery(staffCalls.staffReadyPayments, {})
  const mayPay = useMay('withdrawals.pay')
  const methods = query.data?.methods
  return (
    <section aria-label={t('payment_files.ready')} aria-busy={query.isPending} className="px-4 pb-4 md:px-6">
      <h2 className="pb-2 font-semibold">{t('payment_files.ready')}</h2>
      {query.isPending && <SkeletonRows count={1} rowHeight={52} />}
      {query.isError && methods === undefined && <LoadFailure query={query} />}
      {methods?.length === 0 && <p className="text-fg-3">{t('payment_files.none_ready')}</p>}
      {methods !== undefined && methods.length > 0 && (
        <ul className="overflow-hidden rounded-card shadow-[inset_0_0_0_1px_var(--line)]">
          {methods.map((one) => (
            <li
              key={`${one.method_id} ${one.currency}`}
              className="flex min-h-13 flex-wrap items-center gap-x-4 gap-y-1 border-line px-4 py-2 not-last:border-b"
            >
              <span className="min-w-0 flex-1">
                {t('payment_files.ready_of', { method: one.method, count: one.count })}
              </span>
              <b className="num">{payment(one.sum, one.currency.toUpperCase())}</b>
              {mayPay && (
                <Button variant="secondary" size="s" onClick={() => onChoose(one)}>
                  {t('payment_files.choose')}
                </Button>
              )}
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}
