import { useForm } from 'react-hook-form'
import type { SymbolDetailRow, SymbolRow } from '#contract/back-office/symbols.ts'
import { staffCalls } from '#contract/back-office/staff-calls.ts'
import { Button } from '#ui/button.tsx'
import { Checkbox } from '#ui/checkbox.tsx'
import { Field } from '#ui/field.tsx'
import { useToast } from '#ui/toast.tsx'
import { useStaffChange } from '#back-office/api/queries.ts'
import { Block } from '#back-office/detail/facts.tsx'
import { ChangedMeanwhile } from '#back-office/forms/changed-meanwhile.tsx'
import { FormFailure, setFormErrors } from '#back-office/forms/form-failure.tsx'
import { plainNumber } from '#back-office/forms/plain-number.ts'
import { useEdited } from '#back-office/forms/use-edited.ts'
import { money } from '#back-office/i18n/format.ts'
import { t } from '#back-office/i18n/t.ts'

interface Values {
  name: string
  sort: string
  color: string
  is_featured: boolean
}

const COLOR = { pattern: { value: /^(#[0-9a-f]{6})?$/i, message: t('markets.color_invalid') } }
const NEEDED = { required: t('markets.needed') }

/** The form for a symbol's display. */
export function SymbolForm({ symbol }: { symbol: SymbolDetailRow }) {
  const toast = useToast()
  const form = useForm<Values>({ defaultValues: valuesOf(symbol) })
  const { base, isOld, reload } = useEdited(symbol, form, valuesOf)
  const edit = useStaffChange(staffCalls.staffEditSymbol)
  const { errors, isSubmitting, isDirty } = form.formState
  const submit = form.handleSubmit((values) =>
    setFormErrors(form, async () => {
      const body = { ...values, version: base.version, decimals: base.decimals, sort: plainNumber(values.sort) }
      await edit.mutateAsync({ params: { code: symbol.code }, body })
      form.reset(values)
      toast({ tone: 'success', text: t('markets.saved') })
    }),
  )
  return (
    <Block title={t('markets.how_shown')}>
      <form onSubmit={(event) => void submit(event)} noValidate className="flex flex-col gap-3">
        <ChangedMeanwhile isOld={isOld && isDirty} reload={reload} />
        <FormFailure form={form} />
        <Field
          label={t('markets.name')}
          maxLength={60}
          error={errors.name?.message}
          {...form.register('name', NEEDED)}
        />
        <div className="grid grid-cols-2 gap-3">
          <Field
            label={t('markets.place')}
            hint={t('markets.place_hint')}
            inputMode="numeric"
            error={errors.sort?.message}
            {...form.register('sort', NEEDED)}
          />
          <Field
            label={t('markets.color')}
            hint={t('markets.color_hint')}
            error={errors.color?.message}
            {...form.register('color', COLOR)}
          />
        </div>
        <Checkbox {...form.register('is_featured')}>{t('markets.featured')}</Checkbox>
        <Button type="submit" size="m" loading={isSubmitting} disabled={!isDirty}>
          {t('markets.save')}
        </Button>
      </form>
    </Block>
  )
}

/** Formats the open orders of a symbol: "1 open order, $10.00". */
export function openText({ open_orders: count, open_stakes: stakes }: SymbolDetailRow): string {
  return t('markets.open_orders', { count, amount: money(stakes) })
}

function valuesOf({ name, sort, color, is_featured }: SymbolRow): Values {
  return { name, sort: String(sort), color, is_featured }
}
