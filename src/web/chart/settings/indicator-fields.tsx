import X from 'lucide-react/icons/x'
import { useState } from 'react'
import {
  indicatorName,
  type IndicatorSettings,
  INDICATORS,
  inRange,
  LINE_COLOURS,
  type ParameterRange,
} from '#core/indicators/indicator-settings.ts'
import { PRICE_SOURCES } from '#core/indicators/price-source.ts'
import { asciiDigits } from '#core/text/digits.ts'
import { Chips } from '#ui/chips.tsx'
import { Field } from '#ui/field.tsx'
import { IconButton } from '#ui/icon-button.tsx'
import { Select } from '#ui/select.tsx'
import { LineSample } from '#web/chart/line-sample.tsx'
import { t } from '#web/i18n/t.ts'

const COLOUR_NUMBERS = Array.from({ length: LINE_COLOURS }, (_, colour) => colour)
const SAMPLES = COLOUR_NUMBERS.map((colour) => <LineSample key={colour} colour={colour} />)

interface IndicatorFieldsProps {
  settings: IndicatorSettings
  onChange: (settings: IndicatorSettings) => void
  onRemove: () => void
}

/** The parameters of one indicator, the price from which it is computed, and its colour. */
export function IndicatorFields({ settings, onChange, onRemove }: IndicatorFieldsProps) {
  const { kind, parameters, source, colour } = settings
  const { parameters: ranges, hasSource } = INDICATORS[kind]
  const name = indicatorName(settings)
  return (
    <fieldset aria-label={name} className="min-w-0">
      <div className="flex items-center gap-2">
        <LineSample colour={colour} />
        <span className="num min-w-0 flex-1 font-semibold">{name}</span>
        <IconButton
          tight
          label={t('desk.remove', { name })}
          onClick={onRemove}
          icon={<X size={18} aria-hidden="true" />}
        />
      </div>
      <div className="mt-2 grid grid-cols-[repeat(auto-fit,minmax(7rem,1fr))] gap-2">
        {ranges.map((range, at) => (
          <ParameterField
            key={range.name}
            range={range}
            value={parameters[at] ?? range.preset}
            onChange={(value) => onChange({ ...settings, parameters: parameters.with(at, value) })}
          />
        ))}
        {hasSource && (
          <Select
            label={t('desk.source')}
            options={PRICE_SOURCES.map((value) => ({ value, label: sourceName(value) }))}
            value={source}
            onChange={(value) => {
              onChange({ ...settings, source: PRICE_SOURCES.find((one) => one === value) ?? 'close' })
            }}
          />
        )}
      </div>
      <Chips
        label={t('desk.colour')}
        options={COLOUR_NUMBERS.map((value) => ({
          value,
          label: SAMPLES[value],
          spoken: t('desk.colour_number', { number: value + 1 }),
        }))}
        value={colour}
        onChange={(value) => onChange({ ...settings, colour: value })}
        className="mt-2"
      />
    </fieldset>
  )
}

function sourceName(source: (typeof PRICE_SOURCES)[number]): string {
  return source === 'hl2' || source === 'hlc3' ? source.toUpperCase() : t(`chart.${source}`)
}

interface ParameterFieldProps {
  range: ParameterRange
  value: number
  onChange: (value: number) => void
}

/** A number field whose value takes effect as soon as it is within its range. */
function ParameterField({ range, value, onChange }: ParameterFieldProps) {
  const [typed, setTyped] = useState<string | null>(null)
  const { name, min, max, step } = range
  const isValid = typed === null || isWithin(numberIn(typed), range)
  return (
    <Field
      label={t(`desk.${name}`)}
      inputMode={step === 1 ? 'numeric' : 'decimal'}
      autoComplete="off"
      ltr
      value={typed ?? String(value)}
      error={isValid ? undefined : t('desk.range', { min, max })}
      onChange={(event) => {
        const text = event.target.value
        setTyped(text)
        if (isWithin(numberIn(text), range)) onChange(numberIn(text))
      }}
      onBlur={() => setTyped(null)}
    />
  )
}

function numberIn(text: string): number {
  return text.trim() === '' ? Number.NaN : Number(asciiDigits(text).replace(',', '.'))
}

function isWithin(number: number, range: ParameterRange): boolean {
  return inRange(number, range) === number
}
