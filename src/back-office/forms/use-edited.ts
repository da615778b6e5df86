import { useEffect, useState } from 'react'
import type { FieldValues, UseFormReturn } from 'react-hook-form'

/**
 * What a form edits. While nothing is typed it follows what is stored; once something is, it stays with the version that
 * was looked at, so that whoever saves second is told. `reload` starts over from what is stored.
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
      // oxlint-disable-next-line react/set-state-in-effect -- the form is told in the same breath, and only an effect may tell it
      setBase(stored)
      form.reset(valuesOf(stored))
    }
  }, [isOld, isDirty, stored, form, valuesOf])
  return { base, isOld, reload }
}
