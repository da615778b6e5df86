import { FilterBar, FilterPeriod } from '#back-office/list/filter-bar.tsx'
import { FilterSelect } from '#back-office/list/filter-select.tsx'
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
    <div className="print:hidden">
      <FilterBar>
        <FilterSelect
          label={t('reports.period')}
          value={preset}
          options={PRESET_OPTIONS}
          onChange={(value) => onChange('preset', value)}
        />
        <FilterSelect
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
          className="col-span-2 sm:w-72"
        />
      </FilterBar>
    </div>
  )
}
