import { type FormEvent, useCallback, useEffect, useRef, useState } from 'react'
import { NO_FIELD } from '#contract/failure-body.ts'
import { CallFailure, failureText } from '#web/api/call-failure.ts'

export type FieldErrors<F extends string> = Partial<Record<F, string | undefined>>

interface FormOptions<F extends string> {
  initial: Readonly<Record<F, string>>
  /** Returns the errors by field; empty when all fields are valid. */
  validate: (values: Readonly<Record<F, string>>) => FieldErrors<F>
  /**
   * Fields whose server errors are shown only above the form. A form with a single field always shows its server errors
   * there.
   */
  saidAbove?: readonly NoInfer<F>[]
  /** Sends the form. A `CallFailure` with errors by field marks those fields. */
  submit: (values: Readonly<Record<F, string>>) => Promise<void>
}

export interface Form<F extends string> {
  values: Readonly<Record<F, string>>
  set: (name: F, value: string) => void
  /** Returns the error of a field that the user has left or tried to send. */
  errorOf: (name: F) => string | undefined
  /** Returns the props of a text field. */
  field: (name: F) => {
    name: F
    value: string
    error: string | undefined
    /** Whether the field is invalid. Its error may be shown above the form instead of below the field. */
    invalid: boolean
    onChange: (event: { target: { value: string } }) => void
    onBlur: () => void
  }
  onSubmit: (event: FormEvent<HTMLFormElement>) => void
  busy: boolean
  /** Why the last attempt failed: the messages of single fields, or one message for the whole form. */
  failure: readonly string[]
}

/**
 * Handles values, errors and sending of a form. Errors show when the user leaves a field that is not empty, or sends
 * the form. Sending then focuses the first invalid field. A server error stays until its field is changed.
 */
export function useForm<F extends string>({ initial, validate, saidAbove = [], submit }: FormOptions<F>): Form<F> {
  const [values, setValues] = useState(initial)
  const [touched, setTouched] = useState<ReadonlySet<F>>(new Set())
  const [serverErrors, setServerErrors] = useState<Readonly<Record<string, string | undefined>>>({})
  const [failure, setFailure] = useState<readonly string[]>([])
  const [busy, setBusy] = useState(false)
  // A ref, because a second quick press can arrive before the first press has rendered.
  const sending = useRef(false)
  const toFocus = useRef<HTMLFormElement>(null)
  // Runs after each render: the fields must be marked as invalid before the first invalid field can be found.
  useEffect(() => {
    toFocus.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus()
    toFocus.current = null
  })

  const isSaidAbove = (name: F) => saidAbove.includes(name) || Object.keys(initial).length === 1
  const errors = validate(values)
  const errorOf = (name: F) => serverErrors[name] ?? (touched.has(name) ? errors[name] : undefined)
  const set = useCallback((name: F, value: string) => {
    setValues((before) => ({ ...before, [name]: value }))
    setServerErrors((before) => ({ ...before, [name]: undefined }))
  }, [])
  const touch = (name: F) => setTouched((before) => new Set(before).add(name))

  async function send(form: HTMLFormElement): Promise<void> {
    setTouched(new Set([...Object.keys(initial), ...Object.keys(errors)] as F[]))
    setFailure([])
    if (Object.values(errors).some((error) => error !== undefined)) {
      toFocus.current = form
      return
    }
    if (sending.current) return
    sending.current = true
    setBusy(true)
    try {
      await submit(values)
    } catch (error) {
      const byField = fieldErrorsOf(error)
      setServerErrors(byField)
      setFailure(messagesOf(error))
      if (Object.keys(byField).length > 0) toFocus.current = form
    } finally {
      sending.current = false
      setBusy(false)
    }
  }

  return {
    values,
    set,
    errorOf,
    field: (name) => ({
      name,
      value: values[name],
      error: isSaidAbove(name) ? (touched.has(name) ? errors[name] : undefined) : errorOf(name),
      invalid: serverErrors[name] !== undefined,
      onChange: (event) => set(name, event.target.value),
      onBlur: () => values[name] !== '' && touch(name),
    }),
    onSubmit: (event) => {
      event.preventDefault()
      void send(event.currentTarget)
    },
    busy,
    failure,
  }
}

function messagesOf(error: unknown): string[] {
  const lists = error instanceof CallFailure ? Object.values(error.errors).flat() : []
  return lists.length > 0 ? lists : [failureText(error)]
}

function fieldErrorsOf(error: unknown): Readonly<Record<string, string | undefined>> {
  if (!(error instanceof CallFailure)) return {}
  const byField = Object.entries(error.errors).filter(([name]) => name !== NO_FIELD)
  return Object.fromEntries(byField.map(([name, messages]) => [name, messages[0]]))
}
