import { useState } from 'react'
import { Controller, useForm, useWatch } from 'react-hook-form'
import { staffCalls } from '#contract/back-office/staff-calls.ts'
import { LANGUAGE_CODES, type LanguageCode, LANGUAGES } from '#messages/languages.ts'
import { Button } from '#ui/button.tsx'
import { Checkbox } from '#ui/checkbox.tsx'
import { Field } from '#ui/field.tsx'
import { useToast } from '#ui/toast.tsx'
import { useStaffChange, useStaffQuery } from '#back-office/api/queries.ts'
import { LanguageChips } from '#back-office/editor/language-chips.tsx'
import { fromUtcField } from '#back-office/editor/utc-field.ts'
import { ChangedMeanwhile } from '#back-office/forms/changed-meanwhile.tsx'
import { FormFailure, setFormErrors } from '#back-office/forms/form-failure.tsx'
import { TextArea } from '#back-office/forms/text-area.tsx'
import { t } from '#back-office/i18n/t.ts'
import { useMay } from '#back-office/session/staff.ts'

interface Values {
  from: string
  needs_consent: boolean
  summary: Partial<Record<LanguageCode, string>>
}

const EMPTY: Values = { from: '', needs_consent: true, summary: {} }

interface TermsVersionsProps {
  /** The version of the text that the editor shows. */
  draftVersion: number
  /** Whether the stored text has changed since the editor loaded it. */
  isOld: boolean
  onLoadAgain: () => void
}

/** The versions of the terms of use, and the form that announces the stored text as the next version. */
export function TermsVersions(draft: TermsVersionsProps) {
  const query = useStaffQuery(staffCalls.staffTermsVersions, {})
  const mayEdit = useMay('content.edit')
  return (
    <section aria-labelledby="versions" className="card mt-4 flex flex-col gap-3 p-5">
      <h2 id="versions" className="text-heading font-semibold">
        {t('content.terms_versions')}
      </h2>
      <p className="text-fg-2">{t('content.terms_text')}</p>
      <ul aria-busy={query.isPending} className="flex flex-col gap-1">
        {query.data?.versions.map(({ version, from, needs_consent }) => (
          <li key={version}>
            {t(needs_consent ? 'content.terms_version_agree' : 'content.terms_version', {
              version,
              time: from.slice(0, 16).replace('T', ' '),
            })}
          </li>
        ))}
      </ul>
      {mayEdit && <PublishTerms {...draft} />}
    </section>
  )
}

function PublishTerms({ draftVersion, isOld, onLoadAgain }: TermsVersionsProps) {
  const toast = useToast()
  const [language, setLanguage] = useState<LanguageCode>('en')
  const form = useForm<Values>({ defaultValues: EMPTY })
  const publish = useStaffChange(staffCalls.staffPublishTerms, { alsoAreas: ['content'] })
  const { errors, isSubmitting } = form.formState
  const summary = useWatch({ control: form.control, name: 'summary' })
  const submit = form.handleSubmit((values) =>
    setFormErrors(form, async () => {
      const written = LANGUAGE_CODES.flatMap((code) => {
        const text = values.summary[code]?.trim() ?? ''
        return text === '' ? [] : [[code, text] as const]
      })
      const from = fromUtcField(values.from) ?? ''
      const body = { ...values, draft_version: draftVersion, from, summary: Object.fromEntries(written) }
      await publish.mutateAsync({ body })
      form.reset()
      toast({ tone: 'success', text: t('content.terms_announced') })
    }),
  )
  const written = new Set(LANGUAGE_CODES.filter((code) => (summary[code] ?? '').trim() !== ''))
  return (
    <form onSubmit={(event) => void submit(event)} noValidate className="flex flex-col gap-3">
      <ChangedMeanwhile isOld={isOld} reload={onLoadAgain} />
      <FormFailure form={form} />
      <Field
        label={t('content.terms_from')}
        hint={t('content.terms_from_hint')}
        type="datetime-local"
        error={errors.from?.message}
        {...form.register('from', { required: t('markets.needed') })}
      />
      <LanguageChips value={language} written={written} onChange={setLanguage} />
      <Controller
        control={form.control}
        name="summary"
        rules={{ validate: (texts) => (texts.en ?? '').trim() !== '' || t('content.terms_summary_needed') }}
        render={({ field: { value, onChange } }) => (
          <TextArea
            label={t('content.terms_summary')}
            hint={t('content.terms_summary_hint')}
            lang={LANGUAGES[language].tag}
            dir={LANGUAGES[language].dir}
            rows={4}
            maxLength={1_000}
            error={errors.summary?.message}
            value={value[language] ?? ''}
            onChange={(event) => onChange({ ...value, [language]: event.target.value })}
          />
        )}
      />
      <Checkbox {...form.register('needs_consent')}>{t('content.terms_needs_consent')}</Checkbox>
      <Button type="submit" size="m" className="self-start" loading={isSubmitting}>
        {t('content.terms_publish')}
      </Button>
    </form>
  )
}
