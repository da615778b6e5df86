import Plus from 'lucide-react/icons/plus'
import { useEffect, useRef, useState } from 'react'
import { useFieldArray, type UseFormReturn } from 'react-hook-form'
import type { GatewayKind } from '#contract/back-office/gateways.ts'
import type { FormFlaw } from '#core/wallet/form-definition.ts'
import { Alert } from '#ui/alert.tsx'
import { Button } from '#ui/button.tsx'
import { FieldCard } from '#back-office/pages/gateways/field-card.tsx'
import { type GatewayValues, NEW_FIELD } from '#back-office/pages/gateways/gateway-values.ts'
import { t } from '#back-office/i18n/t.ts'

interface FieldCardsProps {
  form: UseFormReturn<GatewayValues>
  kind: GatewayKind
  flaws: readonly FormFlaw[]
}

/** The designer of the form that users fill in: a card for each field, moved by buttons. */
export function FieldCards({ form, kind, flaws }: FieldCardsProps) {
  const { fields, append, remove, move } = useFieldArray({ control: form.control, name: 'form' })
  const [said, setSaid] = useState('')
  const list = useRef<HTMLOListElement>(null)
  const toFocus = useRef<string>(null)
  // Runs after the field is rendered in its new position, and moves the keyboard focus along with the field.
  useEffect(() => {
    if (toFocus.current !== null) list.current?.querySelector<HTMLElement>(toFocus.current)?.focus()
    toFocus.current = null
  })
  const { disabled, submitCount } = form.formState
  const labelOf = (at: number) => form.getValues(`form.${at}.label`) || t('gateways.field_place', { place: at + 1 })
  const shift = (at: number, step: 1 | -1) => {
    setSaid(t('gateways.moved', { label: labelOf(at), place: at + step + 1, count: fields.length }))
    move(at, at + step)
    // At an end of the list the pressed button is disabled, so the opposite button gets the focus.
    const isAtEnd = step === 1 ? at + step === fields.length - 1 : at + step === 0
    const button = (step === 1) === isAtEnd ? 'up' : 'down'
    toFocus.current = `[data-field="${at + step}"] [data-move="${button}"]`
  }
  return (
    <section aria-labelledby="form-title">
      <h2 id="form-title" className="text-heading">
        {t('gateways.form')}
      </h2>
      <output className="sr-only">{said}</output>
      {flaws
        .filter(({ at }) => at === null)
        .map(({ code }) => (
          <Alert key={code} tone="danger" className="mt-3">
            {t(`gateways.flaw_${code}`)}
          </Alert>
        ))}
      {fields.length === 0 && <p className="pt-2 text-fg-2">{t('gateways.form_none')}</p>}
      <ol ref={list} className="flex flex-col gap-3 pt-3">
        {fields.map((field, at) => (
          <FieldCard
            key={field.id}
            form={form}
            kind={kind}
            at={at}
            count={fields.length}
            flaws={flaws.filter((flaw) => flaw.at === at)}
            sentTimes={submitCount}
            onMove={(step) => shift(at, step)}
            onRemove={() => {
              setSaid(t('gateways.removed', { label: labelOf(at) }))
              remove(at)
              toFocus.current = `[data-field="${Math.max(0, at - 1)}"] input`
            }}
          />
        ))}
      </ol>
      {!disabled && (
        <Button
          variant="secondary"
          size="m"
          className="mt-3"
          icon={<Plus size={16} aria-hidden="true" />}
          onClick={() => append(NEW_FIELD, { focusName: `form.${fields.length}.label` })}
        >
          {t('gateways.add_field')}
        </Button>
      )}
    </section>
  )
}
