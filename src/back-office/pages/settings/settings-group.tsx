import { type FormEvent, useState } from 'react'
import { staffCalls } from '#contract/back-office/staff-calls.ts'
import { Alert } from '#ui/alert.tsx'
import { Button } from '#ui/button.tsx'
import { Card } from '#ui/card.tsx'
import { useToast } from '#ui/toast.tsx'
import { callStaff, failureText, StaffFailure } from '#back-office/api/call-staff.ts'
import { time } from '#back-office/i18n/format.ts'
import type { SettingGroup } from '#back-office/pages/settings/groups.ts'
import { SettingInput } from '#back-office/pages/settings/setting-input.tsx'
import { useMay } from '#back-office/session/staff.ts'
import { t } from '#back-office/i18n/t.ts'
import type { SettingsData, SettingValue } from '#back-office/pages/settings/settings-data.ts'

interface SettingsGroupProps {
  group: SettingGroup
  data: SettingsData
  onReload: () => Promise<unknown>
}

/** A changed value and the version it was changed from. */
interface Draft {
  readonly value: SettingValue
  readonly version: number
}

/** A group of settings as a form. It sends only changed settings, each with the version it was changed from. */
export function SettingsGroup({ group, data, onReload }: SettingsGroupProps) {
  const mayEdit = useMay('settings.edit')
  const toast = useToast()
  const [drafts, setDrafts] = useState<Readonly<Record<string, Draft>>>({})
  const [failure, setFailure] = useState<unknown>(null)
  const [isSaving, setIsSaving] = useState(false)
  const stored = new Map(data.settings.map((setting) => [setting.key, setting]))
  const own = group.fields.flatMap(({ key }) => stored.get(key) ?? [])
  const changes = own.flatMap(({ key, value }) => {
    const draft = drafts[key]
    if (draft === undefined) return []
    const wanted = withoutBlanks(draft.value)
    return JSON.stringify(wanted) === JSON.stringify(value) ? [] : [{ key, value: wanted, version: draft.version }]
  })
  const errors = failure instanceof StaffFailure ? failure.errors : {}
  const isStale = failure instanceof StaffFailure && failure.code === 'changed_meanwhile'
  const isBlamed = group.fields.some(({ key }) => errors[key] !== undefined)
  const lastChange =
    own
      .map(({ changed_at: at }) => at ?? '')
      .toSorted()
      .at(-1) ?? ''

  const set = (key: string, value: SettingValue) => {
    setFailure(null)
    setDrafts((before) => ({
      ...before,
      [key]: { value, version: before[key]?.version ?? stored.get(key)?.version ?? 0 },
    }))
  }
  const forget = () => {
    setDrafts({})
    setFailure(null)
  }
  async function save(): Promise<void> {
    if (isSaving || changes.length === 0) return
    setIsSaving(true)
    try {
      const { pending } = await callStaff(staffCalls.staffSaveSettings, { body: { changes } })
      await onReload()
      forget()
      toast({ tone: 'success', text: t(pending === null ? 'settings.saved' : 'settings.asked') })
    } catch (error) {
      setFailure(error)
    } finally {
      setIsSaving(false)
    }
  }
  return (
    <Card>
      <form
        noValidate
        aria-label={t(group.title)}
        onSubmit={(event: FormEvent) => {
          event.preventDefault()
          void save()
        }}
        className="flex flex-col gap-3"
      >
        <div>
          <h2 className="text-heading">{t(group.title)}</h2>
          {group.hint && <p className="text-caption text-fg-3">{t(group.hint)}</p>}
        </div>
        {group.fields.map((field) => {
          const draft = drafts[field.key]
          return (
            <SettingInput
              key={field.key}
              field={field}
              value={draft === undefined ? (stored.get(field.key)?.value ?? null) : draft.value}
              countries={data.countries}
              disabled={!mayEdit}
              error={errors[field.key]?.[0]}
              onChange={(value) => set(field.key, value)}
            />
          )
        })}
        {failure !== null && !isBlamed && <Alert tone="danger">{failureText(failure)}</Alert>}
        <div className="flex min-h-11 flex-wrap items-center gap-3">
          {mayEdit && (
            <Button type="submit" size="s" loading={isSaving} disabled={changes.length === 0}>
              {t('settings.save')}
            </Button>
          )}
          {changes.length > 0 && !isStale && (
            <Button variant="secondary" size="s" onClick={forget}>
              {t('settings.undo')}
            </Button>
          )}
          {isStale && (
            <Button variant="secondary" size="s" onClick={() => void onReload().then(forget)}>
              {t('settings.load_again')}
            </Button>
          )}
          <span className="text-caption text-fg-3">
            {changes.length > 0
              ? t('settings.changed', { count: changes.length })
              : lastChange !== '' && t('settings.changed_at', { time: time(lastChange) })}
          </span>
        </div>
      </form>
    </Card>
  )
}

/** Removes the empty lines that a list has while it is being typed. */
function withoutBlanks(value: SettingValue): SettingValue {
  return Array.isArray(value) ? value.filter((line) => typeof line !== 'string' || line.trim() !== '') : value
}
