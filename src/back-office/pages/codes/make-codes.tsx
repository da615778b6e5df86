import { useForm } from 'react-hook-form'
import { staffCalls } from '#contract/back-office/staff-calls.ts'
import { Button } from '#ui/button.tsx'
import { Field } from '#ui/field.tsx'
import { saveFile } from '#ui/save-file.ts'
import { useToast } from '#ui/toast.tsx'
import { useStaffChange } from '#back-office/api/queries.ts'
import { plainNumber } from '#back-office/forms/plain-number.ts'
import { FormFailure, setFormErrors } from '#back-office/forms/form-failure.tsx'
import { NO_RULES, readRules, RuleFields } from '#back-office/pages/codes/code-rules.tsx'
import { t } from '#back-office/i18n/t.ts'

/** Makes many random codes with the same rules, and saves them as a file. */
export function MakeCodes() {
  const toast = useToast()
  const form = useForm({ defaultValues: { ...NO_RULES, count: '50', max_uses: '1' } })
  const make = useStaffChange(staffCalls.staffMakeAccessCodes)
  const { errors, isSubmitting } = form.formState
  const submit = form.handleSubmit(({ count, ...rules }) =>
    setFormErrors(form, async () => {
      const { codes } = await make.mutateAsync({ body: { ...readRules(rules), count: plainNumber(count) } })
      saveFile('access-codes.csv', ['code', ...codes, ''].join('\r\n'), 'text/csv;charset=utf-8')
      toast({ tone: 'success', text: t('codes.made', { count: codes.length }) })
    }),
  )
  return (
    <form onSubmit={(event) => void submit(event)} noValidate className="flex flex-col gap-3">
      <p className="text-fg-2">{t('codes.make_help')}</p>
      <FormFailure form={form} />
      <Field
        label={t('codes.count')}
        error={errors.count?.message}
        inputMode="numeric"
        maxLength={3}
        {...form.register('count')}
      />
      <RuleFields form={form} />
      <Button type="submit" size="m" loading={isSubmitting}>
        {t('codes.make')}
      </Button>
    </form>
  )
}
