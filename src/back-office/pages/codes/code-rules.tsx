import type { FieldPath, FieldValues, UseFormReturn } from 'react-hook-form'
import { Field } from '#ui/field.tsx'
import { fromUtcField } from '#back-office/editor/utc-field.ts'
import { plainNumber } from '#back-office/forms/plain-number.ts'
import { t } from '#back-office/i18n/t.ts'

/** The rules of an access code as they are typed. */
export interface TypedRules {
  label: string
  max_uses: string
  from: string
  until: string
  countries: string
}

export const NO_RULES: TypedRules = { label: '', max_uses: '', from: '', until: '', countries: '' }

/** The fields that a single code and many codes share. */
export function RuleFields<V extends FieldValues & TypedRules>({ form }: { form: UseFormReturn<V> }) {
  const field = (name: keyof TypedRules) => {
    const error = form.formState.errors[name]
    return {
      ...form.register(name as FieldPath<V>),
      label: t(`codes.${name}`),
      error: typeof error?.message === 'string' ? error.message : undefined,
    }
  }
  return (
    <>
      <Field {...field('label')} hint={t('codes.label_help')} maxLength={100} autoComplete="off" />
      <Field {...field('max_uses')} hint={t('codes.max_uses_help')} inputMode="numeric" maxLength={7} />
      <Field {...field('from')} type="datetime-local" />
      <Field {...field('until')} hint={t('codes.period_help')} type="datetime-local" />
      <Field {...field('countries')} hint={t('codes.countries_help')} ltr autoComplete="off" />
    </>
  )
}

/** Converts the typed rules to the form that the server accepts. */
export function readRules({ label, max_uses: most, from, until, countries }: TypedRules) {
  return {
    label,
    max_uses: most.trim() === '' ? null : plainNumber(most),
    from: fromUtcField(from),
    until: fromUtcField(until),
    countries: countries
      .toUpperCase()
      .split(/[\s,;]+/)
      .filter((code) => code !== ''),
  }
}
