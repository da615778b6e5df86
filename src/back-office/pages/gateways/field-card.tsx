import ArrowDown from 'lucide-react/icons/arrow-down'
import ArrowUp from 'lucide-react/icons/arrow-up'
import Trash2 from 'lucide-react/icons/trash'
import { useState } from 'react'
import { Controller, type UseFormReturn } from 'react-hook-form'
import type { GatewayKind } from '#contract/back-office/gateways.ts'
import { NETWORK_NAMES, NETWORKS } from '#core/wallet/destinations/destination.ts'
import { FIELD_TYPES, type FormFlaw } from '#core/wallet/form-definition.ts'
import { Checkbox } from '#ui/checkbox.tsx'
import { Field } from '#ui/field.tsx'
import { IconButton } from '#ui/icon-button.tsx'
import { Select } from '#ui/select.tsx'
import { TextArea } from '#back-office/forms/text-area.tsx'
import { type GatewayValues, nameFor } from '#back-office/pages/gateways/gateway-values.ts'
import { t } from '#back-office/i18n/t.ts'

interface FieldCardProps {
  form: UseFormReturn<GatewayValues>
  kind: GatewayKind
  at: number
  count: number
  flaws: readonly FormFlaw[]
  /** How often the form was sent so far. */
  sentTimes: number
  onMove: (step: 1 | -1) => void
  onRemove: () => void
}

/** One field of the form being designed: its label, its type, and its errors. */
export function FieldCard({ form, kind, at, count, flaws, sentTimes, onMove, onRemove }: FieldCardProps) {
  const values = form.watch(`form.${at}`)
  const [sentBefore] = useState(sentTimes)
  const { label, name, type } = values
  const shownLabel = label || t('gateways.field_place', { place: at + 1 })
  const flawOf = (part: FormFlaw['part']) => {
    // Staff may still fill in an empty part. Its error is shown only after the form was sent while the part was empty.
    const isShown = sentTimes > sentBefore || (part !== 'form' && values[part] !== '')
    const code = isShown ? flaws.find((flaw) => flaw.part === part)?.code : undefined
    return code === undefined ? undefined : t(`gateways.flaw_${code}`)
  }
  const rename = (next: string) => {
    const otherNames = form.getValues('form').flatMap((field, place) => (place === at ? [] : [field.name]))
    // A field name that a staff member typed is kept. Only an empty or derived name follows the label.
    if (name === '' || name === nameFor(label, otherNames)) form.setValue(`form.${at}.name`, nameFor(next, otherNames))
  }
  const disabled = form.formState.disabled
  return (
    <li data-field={at} className="rounded-field bg-surface-2 p-3">
      <div className="flex items-center">
        <h3 className="min-w-0 flex-1 truncate px-1 font-semibold">{shownLabel}</h3>
        {!disabled && (
          <>
            <IconButton
              data-move="up"
              label={t('gateways.move_up', { label: shownLabel })}
              icon={<ArrowUp size={16} aria-hidden="true" />}
              disabled={at === 0}
              onClick={() => onMove(-1)}
            />
            <IconButton
              data-move="down"
              label={t('gateways.move_down', { label: shownLabel })}
              icon={<ArrowDown size={16} aria-hidden="true" />}
              disabled={at === count - 1}
              onClick={() => onMove(1)}
            />
            <IconButton
              label={t('gateways.remove', { label: shownLabel })}
              icon={<Trash2 size={16} aria-hidden="true" />}
              onClick={onRemove}
            />
          </>
        )}
      </div>
      <div className="grid gap-3 pt-1 md:grid-cols-2">
        <Field
          {...form.register(`form.${at}.label`, {
            onChange: (event: { target: { value: string } }) => rename(event.target.value),
          })}
          label={t('gateways.label')}
          error={flawOf('label')}
          maxLength={100}
        />
        <Controller
          control={form.control}
          name={`form.${at}.type`}
          render={({ field }) => (
            <Select
              name={field.name}
              value={field.value}
              disabled={field.disabled}
              onChange={field.onChange}
              onBlur={field.onBlur}
              label={t('gateways.type')}
              error={flawOf('type')}
              options={typesFor(kind, type)}
            />
          )}
        />
        <Field
          {...form.register(`form.${at}.name`)}
          label={t('gateways.field_name')}
          hint={t('gateways.field_name_hint')}
          error={flawOf('name')}
          maxLength={40}
          ltr
        />
        <Field
          {...form.register(`form.${at}.hint`)}
          label={t('gateways.hint')}
          error={flawOf('hint')}
          maxLength={200}
        />
        {type === 'select' && (
          <div className="md:col-span-2">
            <TextArea
              {...form.register(`form.${at}.options`)}
              label={t('gateways.options')}
              error={flawOf('options')}
              rows={4}
            />
          </div>
        )}
        {type === 'destination' && (
          <Controller
            control={form.control}
            name={`form.${at}.network`}
            render={({ field }) => (
              <Select
                name={field.name}
                value={field.value}
                disabled={field.disabled}
                onChange={field.onChange}
                onBlur={field.onBlur}
                label={t('gateways.network')}
                error={flawOf('network')}
                options={NETWORKS.map((network) => ({ value: network, label: NETWORK_NAMES[network] }))}
              />
            )}
          />
        )}
        {(type === 'text' || type === 'textarea') && (
          <Field
            {...form.register(`form.${at}.max_length`)}
            label={t('gateways.max_length')}
            error={flawOf('max_length')}
            inputMode="numeric"
            maxLength={9}
            ltr
          />
        )}
        <div className="self-center">
          <Checkbox {...form.register(`form.${at}.is_required`)}>
            {t(type === 'checkbox' ? 'gateways.required_checkbox' : 'gateways.required')}
          </Checkbox>
          {type === 'file' && (
            <Checkbox {...form.register(`form.${at}.pictures_only`)}>{t('gateways.pictures_only')}</Checkbox>
          )}
        </div>
      </div>
    </li>
  )
}

/**
 * Lists the field types to choose from; a withdrawal method has no file fields. The list also contains the current type
 * of an older field, so that staff can see that type.
 */
function typesFor(kind: GatewayKind, chosen: string) {
  const offered = FIELD_TYPES.filter((type) => type !== 'file' || kind === 'deposit')
  const options = offered.map((type) => ({ value: type as string, label: t(`gateways.type_${type}`) }))
  return options.some(({ value }) => value === chosen) ? options : [...options, { value: chosen, label: chosen }]
}
