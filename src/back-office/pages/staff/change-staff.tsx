import { useState } from 'react'
import type { StaffRow } from '#contract/back-office/staff.ts'
import { staffCalls } from '#contract/back-office/staff-calls.ts'
import { isRole, type Role } from '#core/staff/permissions.ts'
import { Alert } from '#ui/alert.tsx'
import { Button } from '#ui/button.tsx'
import { Field } from '#ui/field.tsx'
import { Select } from '#ui/select.tsx'
import { useToast } from '#ui/toast.tsx'
import { failureText } from '#back-office/api/call-staff.ts'
import { useStaffChange } from '#back-office/api/queries.ts'
import { ChangedMeanwhile } from '#back-office/forms/changed-meanwhile.tsx'
import { TextArea } from '#back-office/forms/text-area.tsx'
import { ROLE_OPTIONS } from '#back-office/pages/staff/invite-staff.tsx'
import { t } from '#back-office/i18n/t.ts'

/**
 * The actions on a staff member: change the role, block, invite again, or make an approver. Each action needs a reason.
 * A block takes effect with the staff member's next call; most other actions wait for a second staff member.
 */
export function ChangeStaff({ person: stored }: { person: StaffRow }) {
  const toast = useToast()
  // The staff member when the edit begins. A refetch must change neither the version that is sent nor what a button does.
  const [person, setPerson] = useState(stored)
  // Null until another role is chosen or another address is typed. A refetch keeps both and the reason, also after a
  // refusal.
  const [chosen, setRole] = useState<Role | null>(null)
  const role = chosen ?? person.role
  const [typedMail, setMail] = useState<string | null>(null)
  const mail = typedMail ?? person.mail
  const [reason, setReason] = useState('')
  const [reasonNeeded, setReasonNeeded] = useState(false)
  const clear = () => {
    setRole(null)
    setMail(null)
    setReason('')
    setReasonNeeded(false)
  }
  const isUntouched = chosen === null && typedMail === null && reason === ''
  if (isUntouched && person !== stored) setPerson(stored)
  const onRequest = () => {
    clear()
    toast({ tone: 'success', text: t('staff.asked') })
  }
  const onChange = () => {
    clear()
    toast({ tone: 'success', text: t('staff.changed', { name: person.name }) })
  }
  const change = useStaffChange(staffCalls.staffChangeMember, {
    onDone: ({ pending }) => (pending === null ? onChange() : onRequest()),
    alsoAreas: ['sessions', 'changes', 'counts'],
  })
  const reinvite = useStaffChange(staffCalls.staffReinviteMember, {
    onDone: onRequest,
    alsoAreas: ['changes', 'counts'],
  })
  const approver = useStaffChange(staffCalls.staffAskChange, { onDone: onRequest, alsoAreas: ['counts'] })
  const isBusy = change.isPending || reinvite.isPending || approver.isPending
  const failure = change.error ?? reinvite.error ?? approver.error
  const isBlocked = person.state === 'blocked'

  /** Runs the action if a reason is given and no other action is pending. */
  const act = (run: (given: { version: number; reason: string }) => void) => {
    if (isBusy) return
    if (reason.trim() === '') return setReasonNeeded(true)
    change.reset()
    reinvite.reset()
    approver.reset()
    run({ version: person.version, reason: reason.trim() })
  }
  const params = { id: person.id }
  return (
    <div className="flex flex-col gap-3">
      <ChangedMeanwhile isOld={stored.version !== person.version && !isBusy} reload={clear} />
      {failure && <Alert tone="danger">{failureText(failure)}</Alert>}
      <Select
        label={t('staff.role')}
        value={role}
        options={ROLE_OPTIONS}
        onChange={(value) => isRole(value) && setRole(value)}
      />
      <TextArea
        label={t('staff.reason')}
        value={reason}
        maxLength={500}
        error={reasonNeeded && reason.trim() === '' ? t('refusal.reason_needed') : undefined}
        onChange={(event) => setReason(event.target.value)}
      />
      <Button
        size="m"
        loading={change.isPending && change.variables.body.role !== person.role}
        disabled={role === person.role}
        onClick={() => act((given) => change.mutate({ params, body: { ...given, role, is_blocked: isBlocked } }))}
      >
        {t('staff.save_role')}
      </Button>
      <div className="flex flex-wrap gap-2">
        <Button
          variant={isBlocked ? 'secondary' : 'danger'}
          size="m"
          className="flex-1"
          loading={change.isPending && change.variables.body.is_blocked !== isBlocked}
          onClick={() =>
            act((given) => change.mutate({ params, body: { ...given, role: person.role, is_blocked: !isBlocked } }))
          }
        >
          {t(isBlocked ? 'staff.unblock' : 'staff.block')}
        </Button>
        <Button
          variant="secondary"
          size="m"
          className="flex-1"
          loading={reinvite.isPending}
          onClick={() => act((given) => reinvite.mutate({ params, body: { ...given, mail: mail.trim() } }))}
        >
          {t('staff.reinvite')}
        </Button>
      </div>
      {person.approver_since === null && person.state === 'active' && (
        <Button
          variant="secondary"
          size="m"
          loading={approver.isPending}
          onClick={() =>
            act(({ reason: why }) => approver.mutate({ body: { kind: 'approver', staff_id: person.id, reason: why } }))
          }
        >
          {t('staff.make_approver')}
        </Button>
      )}
      <Field
        label={t('staff.mail')}
        value={mail}
        hint={t('staff.reinvite_help')}
        inputMode="email"
        autoComplete="off"
        ltr
        onChange={(event) => setMail(event.target.value)}
      />
      <p className="text-center text-caption text-fg-3">{t('common.on_record')}</p>
    </div>
  )
}
