import { useState } from 'react'
import type { AlertOut } from '#contract/alerts.ts'
import {
  ALERT_COOL_MINUTES,
  ALERT_KINDS,
  type AlertKind,
  MAX_ALERT_NOTE,
} from '#core/markets/price-alerts/price-alert.ts'
import { DAY_MS } from '#core/time/instant.ts'
import { Button } from '#ui/button.tsx'
import { Switch } from '#ui/checkbox.tsx'
import { Field } from '#ui/field.tsx'
import { List, ListRow } from '#ui/list-row.tsx'
import { Segmented } from '#ui/segmented.tsx'
import { Select } from '#ui/select.tsx'
import { Sheet } from '#ui/sheet.tsx'
import { useToast } from '#ui/toast.tsx'
import { ruleText } from '#web/alerts/alert-text.ts'
import { reloadAlerts } from '#web/alerts/use-alerts.ts'
import { call } from '#web/api/call.ts'
import { FormFailure } from '#web/forms/form-failure.tsx'
import { readTypedDecimal } from '#web/forms/typed-amount.ts'
import { useForm } from '#web/forms/use-form.ts'
import { dayAndTimeText } from '#web/i18n/dates.ts'
import { t } from '#web/i18n/t.ts'
import { serverNowMs } from '#web/site/settings.ts'

interface AlertSheetProps {
  symbol: string
  /** The decimals of the symbol's prices. */
  decimals: number
  /** The alert to change. Null sets a new one. */
  alert: AlertOut | null
  /** The level that the user has chosen on the chart. */
  level?: string
  onClose: () => void
  onDone?: () => void
}

/** A percentage has two decimals. */
const PERCENT_DECIMALS = 2
const LIFE_DAYS = [1, 7, 30, 90]

/** Sets or changes an alert by typing. */
export function AlertSheet({ symbol, decimals, alert, level = '', onClose, onDone }: AlertSheetProps) {
  const toast = useToast()
  const [kind, setKind] = useState<AlertKind>(alert?.kind ?? 'above')
  const [repeats, setRepeats] = useState(alert?.repeats ?? false)
  const [days, setDays] = useState(30)
  const [keepsEnd, setKeepsEnd] = useState(alert !== null && Date.parse(alert.expires_at) > serverNowMs())
  const numberIn = ({ level, percent }: { level: string; percent: string }) =>
    kind === 'move' ? readTypedDecimal(percent, PERCENT_DECIMALS) : readTypedDecimal(level, decimals)
  const form = useForm({
    initial: {
      level: level === '' && alert !== null && alert.level !== null ? alert.level.toFixed(alert.decimals) : level,
      percent: String(alert?.percent ?? ''),
      cool_minutes: String(alert?.cool_minutes ?? ALERT_COOL_MINUTES.usual),
      note: alert?.note ?? '',
    },
    validate: (values) => {
      const name = kind === 'move' ? 'percent' : 'level'
      if (values[name] === '') return { [name]: t('common.required', { name: t(`alerts.${name}`) }) }
      return numberIn(values) === null ? { [name]: t('refusal.alert_level', { decimals }) } : {}
    },
    submit: async (values) => {
      const body = {
        kind,
        ...(kind === 'move' ? { percent: Number(numberIn(values)) } : { level: numberIn(values) }),
        repeats,
        ...(repeats && { cool_minutes: Number(readTypedDecimal(values.cool_minutes, 0) ?? Number.NaN) }),
        expires_at:
          keepsEnd && alert !== null ? alert.expires_at : new Date(serverNowMs() + days * DAY_MS).toISOString(),
        note: values.note,
      }
      if (alert === null) await call('POST /user/alerts', { body: { ...body, symbol } })
      else {
        const { id, version } = alert
        await call('POST /user/alerts/:id', { params: { id }, body: { ...body, version } })
      }
      toast({ tone: 'success', text: t('alerts.saved') })
      reloadAlerts()
      onDone?.()
      onClose()
    },
  })
  return (
    <Sheet
      open
      onClose={onClose}
      title={`${symbol} · ${alert === null ? t('alerts.new') : ruleText(alert)}`}
      closeLabel={t('common.close')}
    >
      <form onSubmit={form.onSubmit} noValidate className="flex flex-col gap-3">
        <FormFailure messages={form.failure} />
        <Segmented
          label={t('alerts.kind')}
          options={ALERT_KINDS.map((value) => ({ value, label: t(`alerts.${value}`) }))}
          value={kind}
          onChange={setKind}
        />
        {kind === 'move' ? (
          <Field label={t('alerts.percent')} inputMode="decimal" ltr {...form.field('percent')} />
        ) : (
          <Field label={t('alerts.level')} inputMode="decimal" ltr {...form.field('level')} />
        )}
        <List>
          <ListRow
            label={t('alerts.repeats')}
            end={<Switch label={t('alerts.repeats')} checked={repeats} onChange={setRepeats} />}
          />
        </List>
        {repeats && <Field label={t('alerts.cool')} inputMode="numeric" ltr {...form.field('cool_minutes')} />}
        <Select
          label={t('alerts.life')}
          options={[
            ...(keepsEnd && alert !== null
              ? [{ value: '', label: t('alerts.until', { time: dayAndTimeText(Date.parse(alert.expires_at)) }) }]
              : []),
            ...LIFE_DAYS.map((value) => ({ value: String(value), label: t('alerts.days', { days: value }) })),
          ]}
          value={keepsEnd ? '' : String(days)}
          onChange={(value) => {
            setKeepsEnd(value === '')
            if (value !== '') setDays(Number(value))
          }}
        />
        <Field label={t('alerts.note')} maxLength={MAX_ALERT_NOTE} {...form.field('note')} />
        <p className="text-small text-fg-2">{t('alerts.intro')}</p>
        <Button type="submit" loading={form.busy}>
          {t('alerts.save')}
        </Button>
      </form>
    </Sheet>
  )
}
