import { zodResolver } from '@hookform/resolvers/zod'
import { Controller, useForm } from 'react-hook-form'
import { useNavigate } from 'react-router'
import { staffCalls } from '#contract/back-office/staff-calls.ts'
import { ROLES } from '#core/staff/permissions.ts'
import { Button } from '#ui/button.tsx'
import { Field } from '#ui/field.tsx'
import { Select } from '#ui/select.tsx'
import { useToast } from '#ui/toast.tsx'
import { useStaffChange } from '#back-office/api/queries.ts'
import { FormFailure, setFormErrors } from '#back-office/forms/form-failure.tsx'
import { SidePane } from '#back-office/detail/side-pane.tsx'
import { t } from '#back-office/i18n/t.ts'

/**
 * Requests the invitation of a new staff member. When two staff members have agreed, the link goes to the new member's
 * own address.
 */
export function InviteStaff({ onClose }: { onClose: () => void }) {
  const toast = useToast()
  const navigate = useNavigate()
  const form = useForm({
    resolver: zodResolver(staffCalls.staffInviteMember.body),
    defaultValues: { name: '', role: 'support' as const, mail: '' },
  })
  const invite = useStaffChange(staffCalls.staffInviteMember, {
    onDone: ({ pending }) => {
      toast({ tone: 'success', text: t('staff.invite_asked') })
      void navigate(`/changes/${pending?.id ?? ''}`)
    },
    alsoAreas: ['changes', 'counts'],
  })
  const { errors, isSubmitting } = form.formState
  const send = form.handleSubmit((body) => setFormErrors(form, async () => void (await invite.mutateAsync({ body }))))
  return (
    <SidePane title={t('staff.invite')} onClose={onClose}>
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
        <Field
          {...form.register('mail')}
          label={t('staff.mail')}
          error={errors.mail && (errors.mail.type === 'told' ? errors.mail.message : t('staff.mail_needed'))}
          hint={t('staff.mail_hint')}
          inputMode="email"
          autoComplete="off"
          ltr
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
    </SidePane>
  )
}

export const ROLE_OPTIONS = ROLES.map((value) => ({ value, label: t(`role.${value}`) }))
