import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { staffNumberText } from '#core/money/staff-number.ts'
import { SECOND_MS } from '#core/time/instant.ts'
import { Button } from '#ui/button.tsx'
import { Field } from '#ui/field.tsx'
import { useToast } from '#ui/toast.tsx'
import { failureText } from '#back-office/api/call-staff.ts'
import { DetailPane } from '#back-office/detail/detail-pane.tsx'
import { time } from '#back-office/i18n/format.ts'
import { termsValue } from '#back-office/terms/terms-choice.ts'
import { useAnnounceTerms, useTermsState } from '#back-office/terms/use-announce-terms.ts'
import { t } from '#back-office/i18n/t.ts'

const NEEDED = { required: t('markets.needed') }
const EMPTY = { seconds: '', payout: '', min_stake: '', max_stake: '' }
/** Announced in this order, so that the stakes belong to a duration that is already known. */
const PARTS = ['payout', 'min_stake', 'max_stake'] as const

/** The form that announces a new duration with its payout and stakes. */
export function NewTerms({ onClose, onAdded }: { onClose: () => void; onAdded: () => void }) {
  const toast = useToast()
  const state = useTermsState()
  const announce = useAnnounceTerms()
  const form = useForm({ defaultValues: EMPTY })
  /** Parts that were announced before a later part was refused. A new try leaves them out. */
  const [announced, setAnnounced] = useState<ReadonlySet<string>>(new Set())
  const { errors, isSubmitting } = form.formState

  const submit = form.handleSubmit(async (values) => {
    const of = staffNumberText(values.seconds) ?? values.seconds.trim()
    const changes = [
      { field: 'seconds', what: 'duration', value: 'open' },
      ...PARTS.map((what) => ({ field: what, what, value: termsValue({ what }, values[what]) })),
    ] as const
    const wrong = changes.filter(({ value }) => value === null)
    for (const { field } of wrong) form.setError(field, { message: t('markets.value_invalid') })
    if (wrong.length > 0) return
    for (const { field, what, value } of changes) {
      const key = `${what} ${of}`
      if (value === null || announced.has(key)) continue
      try {
        const from = await announce({ what, of, value, applies_at: null })
        setAnnounced((before) => new Set([...before, key]))
        toast({ tone: 'success', text: t('markets.announced', { time: time(from) }) })
      } catch (error) {
        form.setError(field, { message: failureText(error) })
        return
      }
    }
    onAdded()
  })
  return (
    <DetailPane title={t('markets.new_terms')} query={state} onClose={onClose}>
      <form onSubmit={(event) => void submit(event)} noValidate className="flex flex-col gap-3">
        <p className="text-fg-2">{t('markets.announce_text', { seconds: (state.data?.notice_ms ?? 0) / SECOND_MS })}</p>
        <Field
          label={t('markets.length_field')}
          hint={t('markets.length_hint')}
          inputMode="numeric"
          error={errors.seconds?.message}
          {...form.register('seconds', NEEDED)}
        />
        <Field
          label={t('markets.payout_field')}
          inputMode="decimal"
          error={errors.payout?.message}
          {...form.register('payout', NEEDED)}
        />
        <Field
          label={t('markets.least')}
          inputMode="decimal"
          error={errors.min_stake?.message}
          {...form.register('min_stake', NEEDED)}
        />
        <Field
          label={t('markets.most')}
          inputMode="decimal"
          error={errors.max_stake?.message}
          {...form.register('max_stake', NEEDED)}
        />
        <Button type="submit" size="m" loading={isSubmitting}>
          {t('markets.announce_button')}
        </Button>
      </form>
    </DetailPane>
  )
}
