import { type ReactNode, useState } from 'react'
import { useForm } from 'react-hook-form'
import { staffCalls } from '#contract/back-office/staff-calls.ts'
import { Alert } from '#ui/alert.tsx'
import { Button } from '#ui/button.tsx'
import { Switch } from '#ui/checkbox.tsx'
import { CopyRow } from '#ui/copy-row.tsx'
import { Field } from '#ui/field.tsx'
import { SkeletonRows } from '#ui/states.tsx'
import { useToast } from '#ui/toast.tsx'
import { failureText, type StaffReply } from '#back-office/api/call-staff.ts'
import { useStaffChange, useStaffQuery } from '#back-office/api/queries.ts'
import { Block } from '#back-office/detail/facts.tsx'
import { SidePane } from '#back-office/detail/side-pane.tsx'
import { FormFailure, setFormErrors } from '#back-office/forms/form-failure.tsx'
import { copyLabels } from '#back-office/i18n/copy-labels.ts'
import { LoadFailure } from '#back-office/list/load-failure.tsx'
import { t } from '#back-office/i18n/t.ts'

type Channels = StaffReply<typeof staffCalls.staffAlertChannels>

/** The channels on which the staff member receives alerts: mail and webhooks. */
export function OwnChannels({ onClose }: { onClose: () => void }) {
  const channels = useStaffQuery(staffCalls.staffAlertChannels, {})
  return (
    <SidePane title={t('staff_alerts.own')} onClose={onClose}>
      {channels.data ? (
        <>
          <MailChannel mail={channels.data.mail} />
          {channels.data.webhooks.map((webhook) => (
            <WebhookChannel key={webhook.id} webhook={webhook} />
          ))}
          <AddWebhook />
        </>
      ) : channels.isError ? (
        <LoadFailure query={channels} />
      ) : (
        <div aria-busy="true">
          <SkeletonRows count={2} />
        </div>
      )}
    </SidePane>
  )
}

function MailChannel({ mail: { address, is_on: isOn } }: { mail: Channels['mail'] }) {
  const change = useStaffChange(staffCalls.staffSetAlertMail)
  const name = t('staff_alerts.mail', { address })
  if (address === '') return <p className="pb-5 text-fg-2">{t('staff_alerts.mail_none')}</p>
  return (
    <Block title={t('staff_alerts.delivery_mail')}>
      <div className="flex items-center justify-between gap-4 pb-2">
        <span className="min-w-0 break-words">{name}</span>
        <Switch
          label={name}
          checked={isOn}
          disabled={change.isPending}
          onChange={(next) => change.mutate({ body: { is_on: next } })}
        />
      </div>
      {change.error && <Alert tone="danger">{failureText(change.error)}</Alert>}
      <TestChannel id="mail" name={address} />
    </Block>
  )
}

function WebhookChannel({ webhook: { id, host, hint } }: { webhook: Channels['webhooks'][number] }) {
  const toast = useToast()
  const remove = useStaffChange(staffCalls.staffRemoveAlertChannel, {
    onDone: () => toast({ tone: 'success', text: t('staff_alerts.removed') }),
  })
  return (
    <Block title={t('staff_alerts.webhook')}>
      <p className="break-words">{host}</p>
      <p className="pb-2 text-caption text-fg-3">{t('staff_alerts.webhook_hint', { hint })}</p>
      <TestChannel id={id} name={host}>
        <Button
          variant="danger"
          size="s"
          aria-label={t('staff_alerts.remove_of', { name: host })}
          loading={remove.isPending}
          onClick={() => remove.mutate({ params: { id } })}
        >
          {t('staff_alerts.remove')}
        </Button>
      </TestChannel>
      {remove.error && <Alert tone="danger">{failureText(remove.error)}</Alert>}
    </Block>
  )
}

/** Sends a test message, and shows how the receiver answered. */
function TestChannel({ id, name, children }: { id: string; name: string; children?: ReactNode }) {
  const test = useStaffChange(staffCalls.staffTestAlertChannel)
  return (
    <>
      <div className="flex gap-2">
        <Button
          variant="secondary"
          size="s"
          aria-label={t('staff_alerts.test_of', { name })}
          loading={test.isPending}
          onClick={() => test.mutate({ params: { id } })}
        >
          {t('staff_alerts.test')}
        </Button>
        {children}
      </div>
      <output className="block pt-2 text-label">
        {test.data && <span className="text-ok">{t('staff_alerts.tested', { ms: test.data.took_ms })}</span>}
        {test.error && <span className="text-danger">{failureText(test.error)}</span>}
      </output>
    </>
  )
}

function AddWebhook() {
  const [secret, setSecret] = useState<string | null>(null)
  const form = useForm({ defaultValues: { url: '' } })
  const add = useStaffChange(staffCalls.staffAddAlertChannel)
  const { errors, isSubmitting } = form.formState
  const send = form.handleSubmit((body) =>
    setFormErrors(form, async () => {
      const reply = await add.mutateAsync({ body })
      setSecret(reply.secret)
      form.reset()
    }),
  )
  return (
    <Block title={t('staff_alerts.webhook_new')}>
      <form onSubmit={(event) => void send(event)} noValidate className="flex flex-col gap-3">
        <FormFailure form={form} />
        <Field
          {...form.register('url')}
          label={t('staff_alerts.url')}
          hint={t('staff_alerts.webhook_help')}
          error={errors.url?.message}
          inputMode="url"
          autoComplete="off"
          spellCheck={false}
          ltr
        />
        <Button type="submit" size="m" loading={isSubmitting}>
          {t('staff_alerts.webhook_add')}
        </Button>
      </form>
      {secret !== null && (
        <output className="block pt-4">
          <b className="block font-semibold">{t('staff_alerts.webhook_secret')}</b>
          <p className="pb-2 text-fg-2">{t('staff_alerts.webhook_secret_help')}</p>
          <CopyRow text={secret} labels={copyLabels()} />
        </output>
      )}
    </Block>
  )
}
