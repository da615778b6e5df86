import ChevronsUpDown from 'lucide-react/icons/chevrons-up-down'
import { type ReactNode, useCallback, useId, useState } from 'react'
import { useFieldNotes } from '#ui/field.tsx'
import { OptionList } from '#ui/option-list.tsx'
import { Sheet } from '#ui/sheet.tsx'
import { GatewayMark } from '#ui/gateway-mark.tsx'

interface PickerFieldProps<V extends string | number> {
  /** Label above the chosen name. */
  label: string
  /** Title of the sheet that lists the options. */
  title: string
  /** Label for screen readers: "Change the gateway, now …". */
  pressLabel: string
  placeholder: string
  closeLabel: string
  options: readonly { value: V; label: string; image?: string; detail?: ReactNode }[]
  value: V | null
  onChange: (value: V) => void
  error?: string | undefined
}

/** A field that shows one of several options. Pressing it opens a sheet with all options, which closes on choice. */
export function PickerField<V extends string | number>(props: PickerFieldProps<V>) {
  const { label, title, pressLabel, placeholder, closeLabel, options, value, onChange, error } = props
  const [open, setOpen] = useState(false)
  const close = useCallback(() => setOpen(false), [])
  const notes = useFieldNotes(useId(), null, error)
  const chosen = options.find((option) => option.value === value)
  return (
    <div>
      <button
        {...notes.aria}
        type="button"
        aria-label={pressLabel}
        aria-haspopup="dialog"
        aria-expanded={open}
        onClick={() => setOpen(true)}
        data-invalid={error ? '' : undefined}
        className="field w-full py-1 text-start"
      >
        {chosen && <GatewayMark name={chosen.label} image={chosen.image ?? ''} />}
        <span className="min-w-0 flex-1">
          <span className="block text-caption font-medium text-fg-3">{label}</span>
          <span className="block text-input wrap-anywhere font-medium">{chosen?.label ?? placeholder}</span>
        </span>
        <ChevronsUpDown size={18} strokeWidth={1.75} className="text-fg-3" aria-hidden="true" />
      </button>
      {notes.below}
      <Sheet open={open} onClose={close} title={title} closeLabel={closeLabel}>
        <OptionList
          label={title}
          value={value}
          onChange={(next) => {
            onChange(next)
            close()
          }}
          options={options.map((option) => ({
            ...option,
            mark: <GatewayMark name={option.label} image={option.image ?? ''} size={36} />,
          }))}
        />
      </Sheet>
    </div>
  )
}
