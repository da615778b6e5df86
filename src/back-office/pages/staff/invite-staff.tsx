import { zodResolver } from '@hookform/resolvers/zod'
import { useState } from 'react'
import { Controller, useForm } from 'react-hook-form'
import { staffCalls } from '#contract/back-office/staff-calls.ts'
import { ROLES } from '#core/staff/permissions.ts'
import { Button } from '#ui/button.tsx'
import { Field } from '#ui/field.tsx'
import { Select } from '#ui/select.tsx'
import { useStaffChange } from '#back-office/api/queries.ts'
import { FormFailure, setFormErrors } from '#back-office/forms/form-failure.tsx'
import { JoinAddress } from '#back-office/pages/staff/join-address.tsx'
import { SidePane } from '#back-office/detail/side-pane.tsx'
import { t } from '#back-office/i18n/t.ts'

/** Invites a new staff member and shows the invitation address once. */
export function InviteStaff({ onClose }: { onClose: () => void }) {
  const [joinPath, setJoinPath] = useState<string | null>(null)
  const form = useForm({
    resolver: zodResolver(staffCalls.staffInviteMember.body),
    defaultValues: { name: '', role: 'support' as const },
  })
  const invite = useStaffChange(staffCalls.staffInviteMember, { onDone: (reply) => setJoinPath(reply.join_path) })
  const { errors, isSubmitting } = form.formState
  const send = form.handleSubmit((body) => setFormErrors(form, async () => void (await invite.mutateAsync({ body }))))
  return (
    <SidePane title={t('staff.invite')} onClose={onClose}>
      {joinPath === null ? (
        <form onSubmit={(event) => void send(event)} noValidate className="flex flex-col gap-3">
          <p className="text-fg-2">{t('staff.invite_help')}</p>
          <FormFailure form={form} />
          <Field
            {...form.register('name')}
            label={t('staff.name')}
            error={errors.name && (errors.name.type === 'told' ? errors.name.message : t('staff.name_needed'))}
            hint={t('staff.name_hint')}
            autoCapitalize="none"
            spellCheck={false}
            autoComplete="off"
          />
          <Controller
            control={form.control}
            name="role"
            render={({ field }) => (
              <Select {...field} label={t('staff.role')} options={ROLE_OPTIONS} onChange={field.onChange} />
            )}
          />
          <Button type="submit" loading={isSubmitting}>
            {t('staff.invite')}
          </Button>
        </form>
      ) : (
        <JoinAddress path={joinPath} name={form.getValues('name')} onDone={onClose} />
      )}
    </SidePane>
  )
}

export const ROLE_OPTIONS = ROLES.map((value) => ({ value, label: t(`role.${value}`) }))
