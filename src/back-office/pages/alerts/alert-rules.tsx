import { useState } from 'react'
import type { AlertRuleRow } from '#contract/back-office/alerts.ts'
import { staffCalls } from '#contract/back-office/staff-calls.ts'
import { ALERT_SEVERITIES } from '#core/alerts/alert-rules.ts'
import { ROLES } from '#core/staff/permissions.ts'
import { Alert } from '#ui/alert.tsx'
import { Button } from '#ui/button.tsx'
import { Checkbox } from '#ui/checkbox.tsx'
import { Field } from '#ui/field.tsx'
import { Segmented } from '#ui/segmented.tsx'
import { SkeletonRows } from '#ui/states.tsx'
import { useToast } from '#ui/toast.tsx'
import { failureText } from '#back-office/api/call-staff.ts'
import { useStaffChange, useStaffQuery } from '#back-office/api/queries.ts'
import { SidePane } from '#back-office/detail/side-pane.tsx'
import { scaledNumber } from '#back-office/forms/plain-number.ts'
import { money } from '#back-office/i18n/format.ts'
import { LoadFailure } from '#back-office/list/load-failure.tsx'
import { t } from '#back-office/i18n/t.ts'

const CENTS = 100

/** The alert rules. Each rule can be opened to change it. */
export function AlertRules({ onClose }: { onClose: () => void }) {
  const rules = useStaffQuery(staffCalls.staffAlertRules, {})
  const [open, setOpen] = useState<string | null>(null)
  return (
    <SidePane title={t('staff_alerts.rules')} onClose={onClose}>
      {rules.data ? (
        <ul>
          {rules.data.rules.map((rule) => (
            <li key={rule.rule} className="border-t border-line py-3">
              {open === rule.rule ? (
                <RuleForm rule={rule} onDone={() => setOpen(null)} />
              ) : (
                <RuleLine rule={rule} onEdit={() => setOpen(rule.rule)} />
              )}
            </li>
          ))}
        </ul>
      ) : rules.isError ? (
        <LoadFailure query={rules} />
      ) : (
        <div aria-busy="true">
          <SkeletonRows count={8} />
        </div>
      )}
    </SidePane>
  )
}

function RuleLine({ rule, onEdit }: { rule: AlertRuleRow; onEdit: () => void }) {
  const { is_on: isOn, severity, roles, unit, threshold } = rule
  const name = t(`staff_alerts.rule_${rule.rule}`)
  const limit = unit === null ? [] : [`${t('staff_alerts.threshold')} ${limitText(unit, threshold)}`]
  const facts = [t(`staff_alerts.severity_${severity}`), ...limit, roles.map((role) => t(`role.${role}`)).join(', ')]
  return (
    <div className="flex items-center justify-between gap-3">
      <span className="min-w-0">
        <b className="block font-semibold">{name}</b>
        <span className="block text-caption text-fg-3">{isOn ? facts.join(' · ') : t('staff_alerts.off')}</span>
      </span>
      <Button variant="secondary" size="s" aria-label={t('staff_alerts.edit_of', { name })} onClick={onEdit}>
        {t('staff_alerts.edit')}
      </Button>
    </div>
  )
}

function limitText(unit: NonNullable<AlertRuleRow['unit']>, threshold: number): string {
  if (unit === 'money') return money(threshold / CENTS)
  if (unit === 'percent') return `${threshold}%`
  return unit === 'count' ? String(threshold) : `${threshold} ${t(`staff_alerts.unit_${unit}`)}`
}

function RuleForm({ rule, onDone }: { rule: AlertRuleRow; onDone: () => void }) {
  const toast = useToast()
  const [draft, setDraft] = useState(rule)
  const scale = rule.unit === 'money' ? CENTS : 1
  const save = useStaffChange(staffCalls.staffSaveAlertRule, {
    onDone: () => {
      toast({ tone: 'success', text: t('staff_alerts.saved') })
      onDone()
    },
  })
  const { is_on, severity, roles, threshold, version } = draft
  const body = { is_on, severity, roles, threshold, version }
  return (
    <div className="flex flex-col gap-2">
      <b className="font-semibold">{t(`staff_alerts.rule_${rule.rule}`)}</b>
      {save.error && <Alert tone="danger">{failureText(save.error)}</Alert>}
      <Checkbox checked={is_on} onChange={(event) => setDraft({ ...draft, is_on: event.target.checked })}>
        {t('staff_alerts.is_on')}
      </Checkbox>
      <Segmented
        label={t('staff_alerts.severity')}
        options={ALERT_SEVERITIES.map((value) => ({ value, label: t(`staff_alerts.severity_${value}`) }))}
        value={severity}
        onChange={(next) => setDraft({ ...draft, severity: next })}
        compact
      />
      {rule.unit !== null && (
        <Field
          label={`${t('staff_alerts.threshold')} (${t(`staff_alerts.unit_${rule.unit}`)})`}
          inputMode="numeric"
          defaultValue={String(threshold / scale)}
          onChange={(event) => setDraft({ ...draft, threshold: scaledNumber(event.target.value, scale) })}
          ltr
        />
      )}
      <fieldset className="flex flex-wrap gap-x-4">
        <legend className="text-caption text-fg-3">{t('staff_alerts.roles')}</legend>
        {ROLES.map((role) => (
          <Checkbox
            key={role}
            checked={roles.includes(role)}
            onChange={(event) =>
              setDraft({
                ...draft,
                roles: ROLES.filter((one) => (one === role ? event.target.checked : roles.includes(one))),
              })
            }
          >
            {t(`role.${role}`)}
          </Checkbox>
        ))}
      </fieldset>
      <div className="flex gap-2">
        <Button variant="secondary" size="m" onClick={onDone}>
          {t('staff_alerts.cancel')}
        </Button>
        <Button
          size="m"
          className="flex-1"
          loading={save.isPending}
          onClick={() => save.mutate({ params: { rule: rule.rule }, body })}
        >
          {t('staff_alerts.save')}
        </Button>
      </div>
    </div>
  )
}
