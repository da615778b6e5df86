import { Switch } from '#ui/checkbox.tsx'
import { Field } from '#ui/field.tsx'
import { ListRow } from '#ui/list-row.tsx'
import type { Reply } from '#web/api/call.ts'
import { t } from '#web/i18n/t.ts'

type Device = Reply<'GET /user/push'>['devices'][number]
type Settings = Pick<Device, 'amounts' | 'quiet'>

/** From 22:00 to 08:00, in minutes since midnight. */
const NIGHT = { from: 1_320, to: 480 }

export interface DeviceSettingsProps {
  device: Device
  /** Receives a function from the newest settings of the device to the settings that change. */
  onChange: (next: (newest: Device) => Partial<Settings>) => void
}

/** The settings of this device: amounts, and quiet hours in its own time zone. */
export function DeviceSettings({ device, onChange }: DeviceSettingsProps) {
  const { amounts, quiet } = device
  const save = (more: Partial<Settings>) => onChange(() => more)
  const saveQuiet = (more: { from?: number; to?: number }) =>
    onChange((newest) => ({ quiet: { ...(newest.quiet ?? NIGHT), ...more } }))
  return (
    <>
      <ListRow
        label={t('push.amounts')}
        end={<Switch label={t('push.amounts')} checked={amounts} onChange={(next) => save({ amounts: next })} />}
      />
      <ListRow
        label={t('push.quiet')}
        detail={t('push.quiet_hint')}
        end={
          <Switch
            label={t('push.quiet')}
            checked={quiet !== null}
            onChange={(next) => save({ quiet: next ? NIGHT : null })}
          />
        }
      />
      {quiet !== null && (
        <div className="grid grid-cols-[repeat(auto-fit,minmax(7rem,1fr))] gap-3 px-4 pb-3">
          <TimeField label={t('push.from')} minute={quiet.from} onChange={(from) => saveQuiet({ from })} />
          <TimeField label={t('push.until')} minute={quiet.to} onChange={(to) => saveQuiet({ to })} />
        </div>
      )}
    </>
  )
}

function TimeField({ label, minute, onChange }: { label: string; minute: number; onChange: (minute: number) => void }) {
  return (
    <Field
      key={minute}
      type="time"
      ltr
      label={label}
      defaultValue={timeText(minute)}
      onBlur={({ target }) => {
        const next = readTime(target.value)
        if (next !== null && next !== minute) onChange(next)
      }}
    />
  )
}

function timeText(minute: number): string {
  return [Math.floor(minute / 60), minute % 60].map((part) => String(part).padStart(2, '0')).join(':')
}

/** Null for a time that is not complete. */
function readTime(text: string): number | null {
  const [, hours, minutes] = /^(\d\d):(\d\d)/.exec(text) ?? []
  return hours === undefined ? null : Number(hours) * 60 + Number(minutes)
}
