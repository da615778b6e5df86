import { useEffect, useState } from 'react'
import type { FieldValues, UseFormReturn } from 'react-hook-form'

/**
 * Returns the values that a form edits. An untouched form takes over each newly stored version. An edited form keeps
 * the version from which the edit started, so that the server refuses the second of two conflicting saves. `reload`
 * restarts from the stored version.
 */
export function useEdited<T extends { readonly version: number }, V extends FieldValues>(
  stored: T,
  form: UseFormReturn<V>,
  valuesOf: (stored: T) => V,
): { readonly base: T; readonly isOld: boolean; readonly reload: () => void } {
  const [base, setBase] = useState(stored)
  const { isDirty } = form.formState
  const isOld = stored.version !== base.version
  const reload = () => {
    setBase(stored)
    form.reset(valuesOf(stored))
  }
  useEffect(() => {
    if (isOld && !isDirty) {
      // oxlint-disable-next-line react/set-state-in-effect -- the form is reset in the same effect, and only an effect may reset it
      setBase(stored)
      form.reset(valuesOf(stored))
    }
  }, [isOld, isDirty, stored, form, valuesOf])
  return { base, isOld, reload }
}
