import { useState } from 'react'
import { useForm } from 'react-hook-form'
import type { AccessCodeRow } from '#contract/back-office/access-codes.ts'
import { staffCalls } from '#contract/back-office/staff-calls.ts'
import { Button } from '#ui/button.tsx'
import { Checkbox } from '#ui/checkbox.tsx'
import { Field } from '#ui/field.tsx'
import { newId } from '#ui/new-id.ts'
import { useToast } from '#ui/toast.tsx'
import { useStaffChange } from '#back-office/api/queries.ts'
import { Fact, Facts } from '#back-office/detail/facts.tsx'
import { toUtcField } from '#back-office/editor/utc-field.ts'
import { FormFailure, setFormErrors } from '#back-office/forms/form-failure.tsx'
import { amount } from '#back-office/i18n/format.ts'
import { NO_RULES, readRules, RuleFields } from '#back-office/pages/codes/code-rules.tsx'
import { useMay } from '#back-office/session/staff.ts'
import { t } from '#back-office/i18n/t.ts'

/** One access code, new or stored. The code itself never changes. */
export function CodeForm({ row, onSaved }: { row: AccessCodeRow | null; onSaved: () => void }) {
  const toast = useToast()
  const mayEdit = useMay('users.manage')
  // Created once: the same code sent twice is stored once.
  const [id] = useState(() => row?.id ?? newId())
  const form = useForm({ defaultValues: valuesOf(row) })
  const save = useStaffChange(staffCalls.staffSaveAccessCode)
  const { errors, isSubmitting } = form.formState
  const submit = form.handleSubmit(({ code, is_on: isOn, ...rules }) =>
    setFormErrors(form, async () => {
      const body = { ...readRules(rules), code, is_on: isOn, version: row?.version ?? 0 }
      await save.mutateAsync({ params: { id }, body })
      toast({ tone: 'success', text: t('codes.saved') })
      onSaved()
    }),
  )
  return (
    <form onSubmit={(event) => void submit(event)} noValidate>
      <fieldset disabled={!mayEdit} className="flex flex-col gap-3">
        <FormFailure form={form} />
        {row === null ? (
          <Field
            label={t('codes.code')}
            hint={t('codes.code_help')}
            error={errors.code?.message}
            maxLength={40}
            ltr
            autoComplete="off"
            {...form.register('code')}
          />
        ) : (
          <Facts>
            <Fact name={t('codes.uses')}>{row.uses}</Fact>
            <Fact name={t('codes.deposited')}>{amount(row.deposited)}</Fact>
            <Fact name={t('codes.created_by')}>{row.created_by}</Fact>
          </Facts>
        )}
        <RuleFields form={form} />
        <Checkbox {...form.register('is_on')}>{t('codes.is_on')}</Checkbox>
        {mayEdit && (
          <Button type="submit" size="m" loading={isSubmitting}>
            {t('codes.save')}
          </Button>
        )}
      </fieldset>
    </form>
  )
}

function valuesOf(row: AccessCodeRow | null) {
  if (row === null) return { ...NO_RULES, code: '', is_on: true }
  return {
    code: row.code,
    label: row.label,
    max_uses: row.max_uses === null ? '' : String(row.max_uses),
    from: toUtcField(row.from),
    until: row.until === null ? '' : toUtcField(row.until),
    countries: row.countries,
    is_on: row.is_on,
  }
}
