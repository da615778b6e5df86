import { FilterPeriod } from '#back-office/list/filter-bar.tsx'
import { NativeSelect, type Option } from '#back-office/list/native-select.tsx'
import { PRESETS, type ShownPeriod, zones } from '#back-office/pages/reports/report-period.ts'
import { WHOSE, type Whose } from '#back-office/pages/reports/report-figures.ts'
import { t } from '#back-office/i18n/t.ts'
import { Segmented } from '#ui/segmented.tsx'

const PRESET_OPTIONS = PRESETS.map((value) => ({ value, label: t(`reports.preset_${value === '' ? 'month' : value}`) }))
const ZONE_OPTIONS = [{ value: '', label: 'UTC' }, ...zones().map((value) => ({ value, label: value }))]
const WHOSE_OPTIONS = WHOSE.map((value) => ({ value, label: t(`reports.${value}`) }))

type Name = 'preset' | 'from' | 'to' | 'zone' | 'whose'

interface PeriodBarProps {
  preset: string
  period: ShownPeriod
  whose: Whose
  onChange: (name: Name, value: string) => void
}

/** The choice of the period, its time zone, and whose figures are shown. */
export function PeriodBar({ preset, period, whose, onChange }: PeriodBarProps) {
  return (
    <div className="grid grid-cols-2 items-center gap-2 px-4 py-3 md:flex md:flex-wrap md:px-6 print:hidden">
      <Choice
        label={t('reports.period')}
        value={preset}
        options={PRESET_OPTIONS}
        onChange={(value) => onChange('preset', value)}
      />
      <Choice
        label={t('reports.zone')}
        value={period.zone === 'UTC' ? '' : period.zone}
        options={ZONE_OPTIONS}
        onChange={(value) => onChange('zone', value)}
      />
      {preset === 'own' && <FilterPeriod from={period.from} to={period.to} onChange={onChange} />}
      <Segmented
        compact
        label={t('reports.whose')}
        options={WHOSE_OPTIONS}
        value={whose}
        onChange={(value) => onChange('whose', value)}
        className="col-span-2 md:w-72"
      />
    </div>
  )
}

interface ChoiceProps {
  label: string
  value: string
  options: readonly Option[]
  onChange: (value: string) => void
}

/** A native select that may become narrower than its longest option, because names of time zones are long. */
function Choice({ label, value, options, onChange }: ChoiceProps) {
  return (
    <label className="flex h-11 min-w-0 items-center gap-2 rounded-chip bg-surface-2 ps-3 pe-1 lg:h-9">
      <span className="text-caption whitespace-nowrap text-fg-3">{label}</span>
      <NativeSelect
        value={value}
        options={options}
        onChange={onChange}
        className="h-full w-full min-w-0 cursor-pointer bg-transparent font-semibold md:w-auto md:max-w-[14rem]"
      />
    </label>
  )
}
