import { civilDayText } from '#core/markets/calendar/civil-day.ts'
import { Field } from '#ui/field.tsx'
import { Segmented } from '#ui/segmented.tsx'
import { Select } from '#ui/select.tsx'
import { currentLanguage } from '#web/i18n/language.ts'
import { t } from '#web/i18n/t.ts'
import {
  type ChosenPeriod,
  latestMonths,
  latestYears,
  monthPeriod,
  PERIOD_KINDS,
  type PeriodKind,
  yearPeriod,
} from '#web/screens/statement/statement-period.ts'

interface PeriodChoiceProps {
  period: ChosenPeriod
  /** Today as days since 1970-01-01. */
  today: number
  zone: string
  onChange: (period: ChosenPeriod) => void
}

/** The choice of a month, a year, or a first and last day. */
export function PeriodChoice({ period, today, zone, onChange }: PeriodChoiceProps) {
  const months = latestMonths(today)
  const years = latestYears(today)
  const choose = (kind: PeriodKind) => {
    if (kind === 'month') onChange(monthPeriod(months[0] ?? ''))
    else if (kind === 'year') onChange(yearPeriod(years[0] ?? ''))
    else onChange({ ...period, kind, to: period.to > civilDayText(today) ? civilDayText(today) : period.to })
  }
  return (
    <fieldset className="flex flex-col gap-3">
      <legend className="sr-only">{t('statement.period')}</legend>
      <Segmented
        label={t('statement.period')}
        options={PERIOD_KINDS.map((value) => ({ value, label: t(`statement.${value}`) }))}
        value={period.kind}
        onChange={choose}
      />
      {period.kind === 'month' && (
        <Select
          label={t('statement.month')}
          options={months.map((value) => ({ value, label: monthText(value) }))}
          value={period.from.slice(0, 7)}
          onChange={(month) => onChange(monthPeriod(month))}
        />
      )}
      {period.kind === 'year' && (
        <Select
          label={t('statement.year')}
          options={years.map((value) => ({ value, label: value }))}
          value={period.from.slice(0, 4)}
          onChange={(year) => onChange(yearPeriod(year))}
        />
      )}
      {period.kind === 'range' && (
        <DayFields from={period.from} to={period.to} onChange={(days) => onChange({ ...period, ...days })} />
      )}
      <p className="text-label text-fg-2">
        {t('statement.zone')} <bdi dir="ltr">{zone}</bdi>
      </p>
    </fieldset>
  )
}

interface DayFieldsProps {
  from: string
  to: string
  onChange: (days: { from: string; to: string }) => void
}

/** The first and the last day of a period. */
export function DayFields({ from, to, onChange }: DayFieldsProps) {
  return (
    <div className="grid grid-cols-[repeat(auto-fit,minmax(9rem,1fr))] gap-3">
      <Field
        type="date"
        ltr
        label={t('statement.from')}
        value={from}
        max={to}
        onChange={({ target }) => onChange({ from: target.value, to })}
      />
      <Field
        type="date"
        ltr
        label={t('statement.to')}
        value={to}
        min={from}
        onChange={({ target }) => onChange({ from, to: target.value })}
      />
    </div>
  )
}

/** Formats "November 2026". Browsers without the language show the month as a number. */
function monthText(month: string): string {
  const { tag } = currentLanguage()
  if (Intl.DateTimeFormat.supportedLocalesOf(tag).length === 0) return month
  return new Intl.DateTimeFormat(tag, {
    month: 'long',
    year: 'numeric',
    timeZone: 'UTC',
    calendar: 'gregory',
    numberingSystem: 'latn',
  }).format(Date.parse(`${month}-01`))
}
