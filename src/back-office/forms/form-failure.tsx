import type { FieldPath, FieldValues, UseFormReturn } from 'react-hook-form'
import { Alert } from '#ui/alert.tsx'
import { failureText, StaffFailure } from '#back-office/api/call-staff.ts'

/**
 * Sends a form and puts what the server says where it belongs: at the fields it names, else above the form. The error
 * of a field that the server refused has the type `told` and carries the server's words.
 */
export async function tellForm<V extends FieldValues>(
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

/** Above a form: why it could not be sent, where no field is to blame. */
export function FormFailure<V extends FieldValues>({ form }: { form: UseFormReturn<V> }) {
  const { root } = form.formState.errors
  return root?.message === undefined ? null : <Alert tone="danger">{root.message}</Alert>
}
