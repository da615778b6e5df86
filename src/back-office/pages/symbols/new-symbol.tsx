import { Controller, useForm } from 'react-hook-form'
import { staffCalls } from '#contract/back-office/staff-calls.ts'
import type { MarketType } from '#core/markets/market.ts'
import { Button } from '#ui/button.tsx'
import { Checkbox } from '#ui/checkbox.tsx'
import { Field } from '#ui/field.tsx'
import { useToast } from '#ui/toast.tsx'
import { useStaffChange, useStaffQuery } from '#back-office/api/queries.ts'
import { DetailPane } from '#back-office/detail/detail-pane.tsx'
import { FormFailure, setFormErrors } from '#back-office/forms/form-failure.tsx'
import { millisecondsOf, plainNumber } from '#back-office/forms/plain-number.ts'
import { time } from '#back-office/i18n/format.ts'
import { MarketSelect } from '#back-office/forms/market-select.tsx'
import { t } from '#back-office/i18n/t.ts'

interface NewSymbolProps {
  onClose: () => void
  onAdded: (code: string) => void
}

/**
 * The form that adds a symbol. The symbol is listed after the notice period. There is no price field, because the price
 * comes from the source.
 */
export function NewSymbol({ onClose, onAdded }: NewSymbolProps) {
  const source = useStaffQuery(staffCalls.staffPriceSource, {})
  return (
    <DetailPane title={t('markets.new_symbol')} query={source} onClose={onClose}>
      {source.data && <NewSymbolForm source={source.data.source} onAdded={onAdded} />}
    </DetailPane>
  )
}

interface Values {
  code: string
  name: string
  market_type: MarketType
  decimals: string
  max_tick_age_s: string
  source: string
  provider_symbol: string
  color: string
  is_featured: boolean
}

const NEEDED = { required: t('markets.needed') }

function NewSymbolForm({ source, onAdded }: { source: string; onAdded: (code: string) => void }) {
  const toast = useToast()
  const form = useForm<Values>({
    defaultValues: {
      code: '',
      name: '',
      market_type: 'crypto',
      decimals: '2',
      max_tick_age_s: '5',
      source,
      provider_symbol: '',
      color: '',
      is_featured: false,
    },
  })
  const add = useStaffChange(staffCalls.staffAddSymbol)
  const { errors, isSubmitting } = form.formState
  const submit = form.handleSubmit((values) =>
    setFormErrors(form, async () => {
      const { max_tick_age_s: seconds, decimals, ...others } = values
      const numbers = { decimals: plainNumber(decimals), max_tick_age_ms: millisecondsOf(seconds) }
      const { code, listed_from: from } = await add.mutateAsync({ body: { ...others, ...numbers } })
      toast({ tone: 'success', text: t('markets.added_symbol', { code, time: time(from) }) })
      onAdded(code)
    }),
  )
  return (
    <form onSubmit={(event) => void submit(event)} noValidate className="flex flex-col gap-3">
      <FormFailure form={form} />
      <Field
        label={t('markets.code')}
        hint={t('markets.code_hint')}
        maxLength={12}
        autoCapitalize="characters"
        error={errors.code?.message}
        {...form.register('code', NEEDED)}
      />
      <Field label={t('markets.name')} maxLength={60} error={errors.name?.message} {...form.register('name', NEEDED)} />
      <Controller
        control={form.control}
        name="market_type"
        render={({ field: { value, onChange } }) => <MarketSelect value={value} onChange={onChange} />}
      />
      <Field
        label={t('markets.decimals')}
        hint={t('markets.decimals_hint')}
        inputMode="numeric"
        error={errors.decimals?.message}
        {...form.register('decimals', NEEDED)}
      />
      <Field
        label={t('markets.max_age_field')}
        inputMode="decimal"
        error={errors.max_tick_age_s?.message}
        {...form.register('max_tick_age_s', NEEDED)}
      />
      <Field label={t('markets.source')} error={errors.source?.message} {...form.register('source', NEEDED)} />
      <Field
        label={t('markets.provider_symbol')}
        hint={t('markets.provider_hint')}
        maxLength={40}
        error={errors.provider_symbol?.message}
        {...form.register('provider_symbol')}
      />
      <Field
        label={t('markets.color')}
        hint={t('markets.color_hint')}
        error={errors.color?.message}
        {...form.register('color')}
      />
      <Checkbox {...form.register('is_featured')}>{t('markets.featured')}</Checkbox>
      <Button type="submit" size="m" loading={isSubmitting}>
        {t('markets.add_symbol')}
      </Button>
    </form>
  )
}
