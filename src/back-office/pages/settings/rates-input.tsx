import { useState } from 'react'
import { readStaffNumber } from '#core/money/staff-number.ts'
import { DISPLAY_CURRENCIES } from '#core/wallet/display-rates.ts'
import { Field } from '#ui/field.tsx'
import type { SettingValue } from '#back-office/pages/settings/settings-data.ts'

interface RatesInputProps {
  label: string
  value: SettingValue
  disabled: boolean
  error: string | undefined
  onChange: (value: SettingValue) => void
}

/**
 * A field with one rate for each display currency. An empty field means no rate. A text that is not a number is sent
 * unchanged, so that the server names the error.
 */
export function RatesInput({ label, value, disabled, error, onChange }: RatesInputProps) {
  const rates = isRates(value) ? value : {}
  // The text as typed: "1." becomes a number, but stays in the field while it is being typed.
  const [typed, setTyped] = useState<Readonly<Record<string, string>>>({})
  return (
    <fieldset>
      <legend className="pb-1.5 text-caption font-medium text-fg-3">{label}</legend>
      <div className="grid grid-cols-2 gap-2 md:grid-cols-3">
        {DISPLAY_CURRENCIES.filter((currency) => currency !== 'USD').map((currency) => {
          const own = rates[currency]
          const text = typed[currency]
          return (
            <Field
              key={currency}
              label={currency}
              inputMode="decimal"
              ltr
              maxLength={20}
              disabled={disabled}
              value={text !== undefined && rateOf(text) === own ? text : String(own ?? '')}
              onChange={(event) => {
                const next = event.target.value
                setTyped((before) => ({ ...before, [currency]: next }))
                const { [currency]: _before, ...others } = rates
                const rate = rateOf(next)
                onChange(rate === undefined ? others : { ...others, [currency]: rate })
              }}
            />
          )
        })}
      </div>
      {error !== undefined && (
        <p role="alert" className="pt-1 text-caption font-medium text-danger">
          {error}
        </p>
      )}
    </fieldset>
  )
}

/**
 * Returns the rate of a field, or its text if that is not a number. Undefined, no rate, while the field is empty or
 * zero.
 */
function rateOf(text: string): number | string | undefined {
  const rate = readStaffNumber(text) ?? text.trim()
  return rate === 0 || rate === '' ? undefined : rate
}

function isRates(value: SettingValue): value is Record<string, number | string> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
