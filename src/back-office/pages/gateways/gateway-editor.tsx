import { useState } from 'react'
import { useForm, useWatch } from 'react-hook-form'
import { useNavigate } from 'react-router'
import type { GatewayKind } from '#contract/back-office/gateways.ts'
import { staffCalls } from '#contract/back-office/staff-calls.ts'
import { formFlaws } from '#core/wallet/form-definition.ts'
import { Alert } from '#ui/alert.tsx'
import { Button } from '#ui/button.tsx'
import { useToast } from '#ui/toast.tsx'
import { callStaff, StaffFailure } from '#back-office/api/call-staff.ts'
import { queryClient } from '#back-office/api/queries.ts'
import { FormFailure, setFormErrors } from '#back-office/forms/form-failure.tsx'
import { FieldCards } from '#back-office/pages/gateways/field-cards.tsx'
import { GatewayBasics } from '#back-office/pages/gateways/gateway-basics.tsx'
import { GatewayPreview } from '#back-office/pages/gateways/gateway-preview.tsx'
import {
  bodyOf,
  fieldOf,
  type GatewayData,
  type GatewayValues,
  valuesOf,
} from '#back-office/pages/gateways/gateway-values.ts'
import { useMay } from '#back-office/session/staff.ts'
import { t } from '#back-office/i18n/t.ts'

interface GatewayEditorProps {
  /** The stored gateway; null for a new one. */
  gateway: GatewayData | null
  kind: GatewayKind
  onReload: () => Promise<{ data: GatewayData | undefined }>
}

/** The editor of a gateway or method, with a preview of the user's view beside it. */
export function GatewayEditor({ gateway, kind, onReload }: GatewayEditorProps) {
  const mayEdit = useMay('gateways.edit')
  const navigate = useNavigate()
  const toast = useToast()
  // The version that was opened. The list may already have loaded a newer version.
  const [version, setVersion] = useState(gateway?.version ?? 0)
  const [isStale, setIsStale] = useState(false)
  const form = useForm<GatewayValues>({ defaultValues: valuesOf(gateway), disabled: !mayEdit })
  const [name, image, description, designed] = useWatch({
    control: form.control,
    name: ['name', 'image', 'description', 'form'],
  })
  const fields = designed.map(fieldOf)
  const flaws = formFlaws(kind, fields)
  const { isSubmitting, isSubmitted, errors } = form.formState

  const send = form.handleSubmit(async (given) => {
    if (flaws.length > 0) return
    await setFormErrors(form, async () => {
      const body = bodyOf(kind, given)
      const saved = await (gateway === null
        ? callStaff(staffCalls.staffCreateGateway, { body: { ...body, kind } })
        : callStaff(staffCalls.staffSaveGateway, {
            params: { id: gateway.id },
            body: { ...body, version },
          })
      ).catch((error: unknown) => {
        setIsStale(error instanceof StaffFailure && error.code === 'changed_meanwhile')
        throw error
      })
      setVersion(saved.version)
      setIsStale(false)
      await queryClient.invalidateQueries({ queryKey: ['gateways'] })
      toast({ tone: 'success', text: t(saved.pending === null ? 'gateways.saved' : 'gateways.asked') })
      if (gateway === null && saved.pending !== null) void navigate(`/changes/${saved.pending.id}`, { replace: true })
      else if (gateway === null) void navigate(`/gateways/${saved.id}?kind=${kind}`, { replace: true })
      else await reload()
    })
  })
  async function reload(): Promise<void> {
    const { data } = await onReload()
    if (!data) return
    setVersion(data.version)
    setIsStale(false)
    form.reset(valuesOf(data))
  }
  return (
    <div className="flex flex-col gap-8 xl:flex-row xl:items-start">
      <form onSubmit={(event) => void send(event)} noValidate className="flex w-full max-w-[720px] flex-col gap-8">
        <GatewayBasics form={form} kind={kind} mayBeAutomatic={gateway?.may_be_automatic ?? false} />
        <FieldCards form={form} kind={kind} flaws={flaws} />
        {mayEdit && (
          <div className="sticky bottom-0 z-10 -mx-4 flex flex-col gap-3 border-t border-line bg-surface px-4 py-3 md:mx-0 md:px-0">
            <FormFailure form={form} />
            {isSubmitted && flaws.length > 0 && (
              <Alert tone="danger">{t('gateways.form_broken', { count: flaws.length })}</Alert>
            )}
            {errors.form?.message !== undefined && <Alert tone="danger">{errors.form.message}</Alert>}
            <div className="flex items-center gap-3">
              <Button type="submit" size="m" loading={isSubmitting}>
                {t('gateways.save')}
              </Button>
              {isStale && (
                <Button variant="secondary" size="m" onClick={() => void reload()}>
                  {t('gateways.load_again')}
                </Button>
              )}
              <span className="text-caption text-fg-3">{t('common.on_record')}</span>
            </div>
          </div>
        )}
      </form>
      <GatewayPreview kind={kind} name={name} image={image} description={description} fields={fields} />
    </div>
  )
}
