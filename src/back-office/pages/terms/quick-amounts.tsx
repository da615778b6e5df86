import X from 'lucide-react/icons/x'
import { type FormEvent, useState } from 'react'
import { staffCalls } from '#contract/back-office/staff-calls.ts'
import { Alert } from '#ui/alert.tsx'
import { Button } from '#ui/button.tsx'
import { useToast } from '#ui/toast.tsx'
import { failureText } from '#back-office/api/call-staff.ts'
import { useStaffChange, useStaffList } from '#back-office/api/queries.ts'
import { plainAmount } from '#back-office/forms/plain-amount.ts'
import { money } from '#back-office/i18n/format.ts'
import { useMay } from '#back-office/session/staff.ts'
import { t } from '#back-office/i18n/t.ts'

/** The amounts on the quick buttons of the order form. */
export function QuickAmounts() {
  const amounts = useStaffList(staffCalls.staffQuickAmounts, {})
  const mayEdit = useMay('markets.edit')
  const toast = useToast()
  const [typed, setTyped] = useState('')
  const onDone = () => {
    setTyped('')
    toast({ tone: 'success', text: t('markets.quick_done') })
  }
  const add = useStaffChange(staffCalls.staffAddQuickAmount, { onDone })
  const remove = useStaffChange(staffCalls.staffRemoveQuickAmount, { onDone })
  const failure = add.error ?? remove.error
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (typed.trim() !== '' && !add.isPending) add.mutate({ body: { amount: plainAmount(typed) } })
  }
  return (
    <section aria-labelledby="quick-amounts" className="flex flex-col gap-2.5 px-4 pb-5 md:px-6">
      <h2 id="quick-amounts" className="text-caption font-medium text-fg-3">
        {t('markets.quick_amounts')}
      </h2>
      {failure && <Alert tone="danger">{failureText(failure)}</Alert>}
      <div className="flex flex-wrap items-center gap-2">
        {amounts.rows?.map(({ id, amount, version }) => (
          <span
            key={id}
            className="num inline-flex min-h-11 items-center gap-1 rounded-chip bg-surface-2 ps-3.5 pe-1 lg:min-h-9"
          >
            {money(amount)}
            {mayEdit && (
              <button
                type="button"
                aria-label={t('markets.quick_remove', { amount: money(amount) })}
                disabled={remove.isPending}
                onClick={() => remove.mutate({ params: { id }, body: { version } })}
                className="grid size-9 place-items-center rounded-chip text-fg-3 hover:text-fg lg:size-7"
              >
                <X size={14} aria-hidden="true" />
              </button>
            )}
          </span>
        ))}
        {mayEdit && (
          <form onSubmit={submit} className="flex items-center gap-2">
            <input
              value={typed}
              inputMode="decimal"
              aria-label={t('markets.quick_new')}
              placeholder={t('markets.quick_new')}
              onChange={(event) => setTyped(event.target.value)}
              className="num h-11 w-32 rounded-chip bg-surface px-3 shadow-[inset_0_0_0_1px_var(--line-strong)] placeholder:text-fg-3 lg:h-9"
            />
            <Button type="submit" variant="secondary" size="s" loading={add.isPending}>
              {t('markets.quick_add')}
            </Button>
          </form>
        )}
      </div>
    </section>
  )
}
