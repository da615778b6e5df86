import { type FormEvent, useState } from 'react'
import type { ChartInterval } from '#core/time/chart-interval.ts'
import { Button } from '#ui/button.tsx'
import { Field } from '#ui/field.tsx'
import { chartMoment } from '#web/chart/chart-moment.ts'
import { clockOffsetMs, clockText, clockZone } from '#web/i18n/clock.ts'
import { t } from '#web/i18n/t.ts'
import { serverNow } from '#web/live/live-client.ts'

interface GoToDateProps {
  symbol: string
  interval: ChartInterval
  onGo: () => void
}

/** Fields for a day, and for a time of day unless a bar is a day. The chart then shows the bars around that time. */
export function GoToDate({ symbol, interval, onGo }: GoToDateProps) {
  const [now] = useState(() => serverNow())
  const [day, setDay] = useState('')
  const [time, setTime] = useState('00:00')
  const isDaily = interval === '1d'
  const moment = momentOf(day, isDaily ? null : time)
  const today = isDaily ? new Date(now).toISOString().slice(0, 10) : clockText(now).slice(0, 10)

  function submit(event: FormEvent): void {
    event.preventDefault()
    if (moment === null) return
    chartMoment.set({ symbol, interval, time: moment })
    onGo()
  }

  return (
    <form onSubmit={submit} className="flex flex-wrap items-start gap-2">
      <Field
        type="date"
        label={isDaily ? t('desk.day', { zone: 'UTC' }) : t('desk.day', { zone: clockZone(now) })}
        value={day}
        max={today}
        onChange={(event) => setDay(event.target.value)}
        className="min-w-40 flex-1"
      />
      {!isDaily && (
        <Field
          type="time"
          label={t('desk.time')}
          value={time}
          onChange={(event) => setTime(event.target.value)}
          className="min-w-28 flex-1"
        />
      )}
      <Button type="submit" variant="secondary" disabled={moment === null}>
        {t('desk.go')}
      </Button>
    </form>
  )
}

/** Reads a day and a time of day on the user's clock, or the beginning of a day in UTC. Returns null without a day. */
export function momentOf(day: string, time: string | null): number | null {
  const asUtc = Date.parse(`${day}T${time ?? '00:00'}Z`)
  if (Number.isNaN(asUtc)) return null
  // Near a clock change, the offset at the result applies, so the offset is computed twice.
  return time === null ? asUtc : asUtc - clockOffsetMs(asUtc - clockOffsetMs(asUtc))
}
