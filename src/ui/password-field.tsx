import Eye from 'lucide-react/icons/eye'
import EyeOff from 'lucide-react/icons/eye-off'
import { useState } from 'react'
import { Field, type FieldProps } from '#ui/field.tsx'
import { IconButton } from '#ui/icon-button.tsx'

type PasswordFieldProps = Omit<FieldProps, 'type' | 'end'> & { showLabel: string; hideLabel: string }

/**
 * A password field with a button to show it. Pass `autoComplete` ("current-password" or "new-password") for password
 * managers.
 */
export function PasswordField({ showLabel, hideLabel, ...field }: PasswordFieldProps) {
  const [shown, setShown] = useState(false)
  return (
    <Field
      spellCheck={false}
      autoCapitalize="none"
      {...field}
      type={shown ? 'text' : 'password'}
      end={
        <IconButton
          label={shown ? hideLabel : showLabel}
          aria-pressed={shown}
          onClick={() => setShown(!shown)}
          icon={shown ? <EyeOff size={20} strokeWidth={1.75} /> : <Eye size={20} strokeWidth={1.75} />}
          className="-me-2.5"
        />
      }
    />
  )
}
