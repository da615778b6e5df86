import X from 'lucide-react/icons/x'
import { useState } from 'react'
import { asciiDigits } from '#core/text/digits.ts'
import { Chips } from '#ui/chips.tsx'
import { Field } from '#ui/field.tsx'
import { IconButton } from '#ui/icon-button.tsx'
import { axisPrice } from '#web/chart/chart-options.ts'
import { type Drawing, DRAWING_COLOURS, type DrawingPoint, isPriceText } from '#core/charts/drawing.ts'
import { changeDrawing } from '#web/chart/drawing-store.ts'
import { LineSample } from '#web/chart/line-sample.tsx'
import { t } from '#web/i18n/t.ts'

const COLOUR_NUMBERS = Array.from({ length: DRAWING_COLOURS }, (_, at) => at + 1)

interface DrawingFieldsProps {
  drawing: Drawing
  decimals: number
  onRemove: () => void
}

/** The points and the colour of one drawing, so that it can be made and changed without a pointer. */
export function DrawingFields({ drawing, decimals, onRemove }: DrawingFieldsProps) {
  const { id, kind, points, colour } = drawing
  const name = t(`desk.draw_${kind}`)
  const prices = points.map(({ price }) => axisPrice(Number(price), decimals)).join(' → ')
  const change = (at: number, point: Partial<DrawingPoint>) =>
    changeDrawing(id, { points: points.map((one, index) => (index === at ? { ...one, ...point } : one)) })
  return (
    <fieldset aria-label={`${name} ${prices}`} className="min-w-0">
      <div className="flex items-center gap-2">
        <LineSample colour={colour - 1} />
        <span className="min-w-0 flex-1 text-small font-semibold">
          {name}{' '}
          <span dir="ltr" className="num font-normal text-fg-2">
            {prices}
          </span>
        </span>
        <IconButton
          tight
          label={t('desk.remove', { name })}
          onClick={onRemove}
          icon={<X size={18} aria-hidden="true" />}
        />
      </div>
      {points.map(({ price, time_ms: time }, at) => (
        // oxlint-disable-next-line react/no-array-index-key -- a drawing always has the same number of points
        <div key={at} className="mt-2 grid grid-cols-[repeat(auto-fit,minmax(9rem,1fr))] gap-2">
          <CheckedField
            label={points.length === 1 ? t('desk.price') : t('desk.point_price', { number: at + 1 })}
            value={price}
            read={(text) => (isPriceText(text, decimals) ? text : null)}
            error={t('desk.price_form', { decimals })}
            onChange={(text) => change(at, { price: text })}
          />
          {kind === 'trend' && (
            <CheckedField
              label={t('desk.point_time', { number: at + 1 })}
              value={timeText(time)}
              read={readTime}
              error={t('desk.time_form', { example: timeText(time) })}
              onChange={(ms) => change(at, { time_ms: ms })}
            />
          )}
        </div>
      ))}
      <Chips
        label={t('desk.colour')}
        options={COLOUR_NUMBERS.map((value) => ({
          value,
          label: <LineSample colour={value - 1} />,
          spoken: t('desk.colour_number', { number: value }),
        }))}
        value={colour}
        onChange={(value) => changeDrawing(id, { colour: value })}
        className="mt-2"
      />
    </fieldset>
  )
}

interface CheckedFieldProps<T> {
  label: string
  value: string
  read: (text: string) => T | null
  error: string
  onChange: (value: T) => void
}

/** A field whose value takes effect as soon as its text is valid. */
function CheckedField<T>({ label, value, read, error, onChange }: CheckedFieldProps<T>) {
  const [typed, setTyped] = useState<string | null>(null)
  const isValid = typed === null || read(normal(typed)) !== null
  return (
    <Field
      label={label}
      autoComplete="off"
      ltr
      value={typed ?? value}
      error={isValid ? undefined : error}
      onChange={(event) => {
        const text = event.target.value
        setTyped(text)
        const next = read(normal(text))
        if (next !== null) onChange(next)
      }}
      onBlur={() => setTyped(null)}
    />
  )
}

function normal(text: string): string {
  return asciiDigits(text).trim().replace(',', '.')
}

/** Formats a time as "2026-11-27 14:05", in UTC. */
function timeText(timeMs: number): string {
  return new Date(timeMs).toISOString().slice(0, 16).replace('T', ' ')
}

function readTime(text: string): number | null {
  if (!/^\d{4}-\d\d-\d\d \d\d:\d\d$/.test(text)) return null
  const time = Date.parse(`${text.replace(' ', 'T')}:00Z`)
  return Number.isNaN(time) || timeText(time) !== text ? null : time
}
