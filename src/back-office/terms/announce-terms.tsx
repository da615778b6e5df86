import { lazy, Suspense } from 'react'
import { Controller, useForm, useWatch } from 'react-hook-form'
import { MINUTE_MS, SECOND_MS } from '#core/time/instant.ts'
import { Button } from '#ui/button.tsx'
import { Field } from '#ui/field.tsx'
import { Select } from '#ui/select.tsx'
import { useToast } from '#ui/toast.tsx'
import { Block } from '#back-office/detail/facts.tsx'
import { FormFailure, setFormErrors } from '#back-office/forms/form-failure.tsx'
import { time } from '#back-office/i18n/format.ts'
import { t } from '#back-office/i18n/t.ts'
import { type TermsChoice, termsValue } from '#back-office/terms/terms-choice.ts'
import { useAnnounceTerms, useTermsState } from '#back-office/terms/use-announce-terms.ts'

// Loaded on demand, because only this preview needs the texts of the users' app.
const TermsPreview = lazy(async () => ({
  default: (await import('#back-office/terms/terms-preview.tsx')).TermsPreview,
}))

interface Values {
  choice: string
  value: string
  applies_at: string
}

const EMPTY = { value: '', applies_at: '' }

/** The form that announces a change of the trade terms, with a preview of what users will read. */
export function AnnounceTerms({ of, choices }: { of: string; choices: readonly TermsChoice[] }) {
  const toast = useToast()
  const state = useTermsState()
  const announce = useAnnounceTerms()
  const form = useForm<Values>({ defaultValues: { choice: choices[0]?.id ?? '', ...EMPTY } })
  const { errors, isSubmitting } = form.formState
  const [chosenId, typed, at] = useWatch({ control: form.control, name: ['choice', 'value', 'applies_at'] })
  const chosen = choices.find(({ id }) => id === chosenId) ?? choices[0]
  const submit = form.handleSubmit((values) =>
    setFormErrors(form, async () => {
      const value = valueOf(chosen, values.value)
      if (chosen === undefined || value === null) {
        form.setError('value', { message: t('markets.value_invalid') })
        return
      }
      const from = await announce({ what: chosen.what, of, value, applies_at: isoOf(values.applies_at) })
      form.reset({ choice: chosen.id, ...EMPTY })
      toast({ tone: 'success', text: t('markets.announced', { time: time(from) }) })
    }),
  )
  const value = valueOf(chosen, typed)
  const noticeMs = chosen?.noticeMs ?? state.data?.notice_ms ?? 0
  return (
    <Block title={t('markets.announce')}>
      <form onSubmit={(event) => void submit(event)} noValidate className="flex flex-col gap-3">
        <FormFailure form={form} />
        <p className="text-fg-2">
          {chosen?.noticeMs === undefined
            ? t('markets.announce_text', { seconds: noticeMs / SECOND_MS })
            : t('markets.pause_notice', { minutes: noticeMs / MINUTE_MS })}
        </p>
        <Controller
          control={form.control}
          name="choice"
          render={({ field }) => (
            <Select
              label={t('markets.what_changes')}
              options={choices.map(({ id, label }) => ({ value: id, label }))}
              value={field.value}
              onChange={field.onChange}
            />
          )}
        />
        {chosen?.value === undefined && (
          <Field
            label={t('markets.new_value')}
            inputMode="decimal"
            error={errors.value?.message}
            {...form.register('value', { required: t('markets.needed') })}
          />
        )}
        <Field
          label={t('markets.applies_at')}
          hint={t('markets.applies_hint')}
          type="datetime-local"
          error={errors.applies_at?.message}
          {...form.register('applies_at')}
        />
        {chosen !== undefined && value !== null && (
          <Suspense>
            <TermsPreview
              change={{ what: chosen.what, of, value }}
              appliesMs={at === '' ? state.dataUpdatedAt + noticeMs : Date.parse(`${at}Z`)}
            />
          </Suspense>
        )}
        <Button type="submit" size="m" loading={isSubmitting}>
          {t('markets.announce_button')}
        </Button>
      </form>
    </Block>
  )
}

function valueOf(choice: TermsChoice | undefined, typed: string): string | null {
  if (choice === undefined) return null
  return choice.value ?? termsValue(choice, typed)
}

function isoOf(at: string): string | null {
  return at === '' ? null : new Date(`${at}Z`).toISOString()
}
