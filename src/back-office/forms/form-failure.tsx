import type { FieldPath, FieldValues, UseFormReturn } from 'react-hook-form'
import { Alert } from '#ui/alert.tsx'
import { failureText, StaffFailure } from '#back-office/api/call-staff.ts'

/**
 * Sends a form and shows each server error at the field that the error names. If no error names a field of the form,
 * the failure is shown above the form. All errors set here have the type `told`, which marks them as reported by the
 * server.
 */
export async function setFormErrors<V extends FieldValues>(
  form: Pick<UseFormReturn<V>, 'setError' | 'getValues'>,
  send: () => Promise<void>,
): Promise<void> {
  try {
    await send()
  } catch (error) {
    const known = new Set(Object.keys(form.getValues()))
    const byField = error instanceof StaffFailure ? Object.entries(error.errors) : []
    const own = byField.filter(([field]) => known.has(field))
    for (const [field, [message = '']] of own) form.setError(field as FieldPath<V>, { type: 'told', message })
    if (own.length === 0) form.setError('root', { type: 'told', message: failureText(error) })
  }
}

/** Shows above a form why sending failed, when the error names no field of the form. */
export function FormFailure<V extends FieldValues>({ form }: { form: UseFormReturn<V> }) {
  const { root } = form.formState.errors
  return root?.message === undefined ? null : <Alert tone="danger">{root.message}</Alert>
}
