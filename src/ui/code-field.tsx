import type { ReactNode } from 'react'
import { Field, type FieldProps } from '#ui/field.tsx'

type CodeFieldProps = Omit<FieldProps, 'type' | 'end' | 'ltr'> & {
  /** A small button at the end: "Send again". */
  action?: ReactNode
}

/** A field for a verification code, with room for "Send again" at its end. Phones offer the code from the message. */
export function CodeField({ action, ...field }: CodeFieldProps) {
  return (
    <Field
      inputMode="numeric"
      autoComplete="one-time-code"
      spellCheck={false}
      {...field}
      ltr
      end={action === undefined ? undefined : <span className="-me-1.5">{action}</span>}
    />
  )
}
