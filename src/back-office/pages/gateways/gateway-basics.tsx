import { Controller, type UseFormReturn } from 'react-hook-form'
import type { GatewayKind } from '#contract/back-office/gateways.ts'
import { readStaffDecimal } from '#core/money/staff-number.ts'
import { Checkbox } from '#ui/checkbox.tsx'
import { Field } from '#ui/field.tsx'
import { isAmount } from '#back-office/forms/plain-amount.ts'
import { TextArea } from '#back-office/forms/text-area.tsx'
import { EditorSection } from '#back-office/pages/gateways/editor-section.tsx'
import { GatewayPicture } from '#back-office/pages/gateways/gateway-picture.tsx'
import { type GatewayValues, termsCurrency } from '#back-office/pages/gateways/gateway-values.ts'
import { t } from '#back-office/i18n/t.ts'

interface GatewayBasicsProps {
  form: UseFormReturn<GatewayValues>
  kind: GatewayKind
  mayBeAutomatic: boolean
}

const isNumber = (places: number) => (text: string) =>
  readStaffDecimal(text, places) !== null || t('gateways.number_wrong')

const isPlace = (text: string) => {
  const place = readStaffDecimal(text, 0)
  return (place !== null && place <= 9_999n) || t('gateways.number_wrong')
}

/** From a minute to a week. */
const isQuoteTime = (text: string) => {
  const seconds = readStaffDecimal(text, 0)
  return (seconds !== null && seconds >= 60n && seconds <= 604_800n) || t('gateways.number_wrong')
}

/** The fields for name, picture, charge terms and description. */
export function GatewayBasics({ form, kind, mayBeAutomatic }: GatewayBasicsProps) {
  const { errors } = form.formState
  const amountField = (name: 'min_amount' | 'max_amount' | 'fixed_charge') => ({
    ...form.register(name, {
      validate: (text) => isAmount(text, termsCurrency(kind, form.getValues('currency'))) || t('gateways.amount_wrong'),
    }),
    label: t(`gateways.${name}`),
    error: errors[name]?.message,
    inputMode: 'decimal' as const,
    ltr: true,
  })
  const currency = form.watch('currency') || '…'
  return (
    <>
      <EditorSection title={t('gateways.basics')}>
        <Field
          {...form.register('name', { validate: (text) => text.trim() !== '' || t('gateways.needed') })}
          label={t('gateways.name')}
          error={errors.name?.message}
          maxLength={60}
          className="md:col-span-2"
        />
        <Controller
          control={form.control}
          name="image"
          render={({ field }) => (
            <GatewayPicture
              name={form.watch('name')}
              image={field.value}
              onChange={field.onChange}
              disabled={field.disabled}
              error={errors.image?.message}
            />
          )}
        />
        <Field
          {...form.register('currency', {
            validate: (text) => /^[a-z0-9]{2,10}$/i.test(text.trim()) || t('gateways.currency_wrong'),
          })}
          label={t('gateways.currency')}
          error={errors.currency?.message}
          maxLength={10}
          ltr
        />
        <Field
          {...form.register('sort', { validate: isPlace })}
          label={t('gateways.sort')}
          hint={t('gateways.sort_hint')}
          error={errors.sort?.message}
          inputMode="numeric"
          ltr
        />
        <div className="md:col-span-2">
          <Checkbox {...form.register('is_offered')}>{t('gateways.is_offered')}</Checkbox>
          <p className="ps-8 text-caption text-fg-3">{t('gateways.is_offered_hint')}</p>
          {mayBeAutomatic && <Checkbox {...form.register('is_automatic')}>{t('gateways.is_automatic')}</Checkbox>}
          {errors.is_automatic?.message !== undefined && (
            <p className="text-caption font-medium text-danger">{errors.is_automatic.message}</p>
          )}
        </div>
      </EditorSection>
      <EditorSection title={t('gateways.terms')} hint={`${t(`gateways.terms_${kind}`)} ${t('gateways.terms_frozen')}`}>
        <Field {...amountField('min_amount')} />
        <Field {...amountField('max_amount')} />
        <Field {...amountField('fixed_charge')} />
        <Field
          {...form.register('percent_charge', { validate: isNumber(2) })}
          label={t('gateways.percent_charge')}
          error={errors.percent_charge?.message}
          inputMode="decimal"
          ltr
        />
        <Field
          {...form.register('rate', { validate: isNumber(6) })}
          label={t('gateways.rate_label', { currency: currency.toUpperCase() })}
          hint={kind === 'deposit' ? t('gateways.rate_live') : undefined}
          error={errors.rate?.message}
          inputMode="decimal"
          ltr
        />
        {kind === 'deposit' && (
          <Field
            {...form.register('quote_seconds', { validate: isQuoteTime })}
            label={t('gateways.quote_seconds')}
            hint={t('gateways.quote_seconds_hint')}
            error={errors.quote_seconds?.message}
            inputMode="numeric"
            ltr
          />
        )}
      </EditorSection>
      <EditorSection title={t('gateways.told')}>
        {kind === 'deposit' && (
          <Field
            {...form.register('wallet_address')}
            label={t('gateways.wallet_address')}
            error={errors.wallet_address?.message}
            maxLength={200}
            ltr
            className="md:col-span-2"
          />
        )}
        <div className="md:col-span-2">
          <TextArea
            {...form.register('description')}
            label={t('gateways.description')}
            hint={t('gateways.description_hint')}
            error={errors.description?.message}
            maxLength={20_000}
            rows={5}
          />
        </div>
      </EditorSection>
    </>
  )
}
