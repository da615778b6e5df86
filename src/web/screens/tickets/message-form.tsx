import { MAX_TICKET_PICTURES, MAX_TICKET_WORDS } from '#core/tickets/ticket-rules.ts'
import { Button } from '#ui/button.tsx'
import { TextAreaField } from '#ui/text-area-field.tsx'
import { UploadField } from '#ui/upload-field.tsx'
import type { FormParts } from '#web/api/call.ts'
import { FormFailure } from '#web/forms/form-failure.tsx'
import { useRequestId } from '#web/forms/request-id.ts'
import { useForm } from '#web/forms/use-form.ts'
import { t } from '#web/i18n/t.ts'
import { receiptRules, receiptTypes, useReceipts } from '#web/screens/deposit/use-receipts.ts'

interface MessageFormProps {
  label: string
  sendLabel: string
  minWords: number
  /** Further parts of the multipart request, beside the text and the pictures. */
  parts?: Readonly<Record<string, string>>
  send: (form: FormParts) => Promise<void>
}

const fieldOf = (place: number) => `picture_${place}`
const PLACES = Array.from({ length: MAX_TICKET_PICTURES }, (_, at) => at + 1)

/**
 * A form for a text and up to three pictures. The next field for a picture appears when the previous field has a
 * picture.
 */
export function MessageForm({ label, sendLabel, minWords, parts = {}, send }: MessageFormProps) {
  const pictures = useReceipts()
  const requestId = useRequestId()
  const files = PLACES.map((place) => pictures.fileOf(fieldOf(place)))
  const form = useForm<string>({
    initial: { words: '' },
    validate: ({ words = '' }) => ({
      words: words.trim().length < minWords ? t('refusal.ticket_words', { number: minWords }) : undefined,
      ...Object.fromEntries(PLACES.map((place) => [fieldOf(place), pictures.problemOf(fieldOf(place))])),
    }),
    saidAbove: PLACES.map(fieldOf),
    submit: async ({ words = '' }) => {
      const content = { ...parts, words: words.trim() }
      const chosen = files.flatMap((file, at) => (file === null ? [] : [[fieldOf(at + 1), file] as const]))
      const text = JSON.stringify([
        content,
        chosen.map(([name, file]) => [name, file.name, file.size, file.lastModified]),
      ])
      await send({ ...content, ...Object.fromEntries(chosen), request_id: requestId(text) })
    },
  })
  const shown = PLACES.filter((place) => place === 1 || files[place - 2] !== null || files[place - 1] !== null)
  return (
    <form onSubmit={form.onSubmit} noValidate className="flex flex-col gap-3">
      <FormFailure messages={form.failure} />
      <TextAreaField
        label={label}
        name="words"
        value={form.values['words'] ?? ''}
        onChange={(value) => form.set('words', value)}
        onBlur={form.field('words').onBlur}
        error={form.errorOf('words')}
        hint={t('tickets.words_hint', { min: minWords, max: MAX_TICKET_WORDS })}
        maxLength={MAX_TICKET_WORDS}
        rows={5}
      />
      {shown.map((place) => (
        <UploadField
          key={place}
          label={t('tickets.picture', { place, most: MAX_TICKET_PICTURES })}
          rules={receiptRules(true)}
          accept={receiptTypes(true).join(',')}
          file={files[place - 1] ?? null}
          onChange={(file) => void pictures.choose(fieldOf(place), file, true)}
          removeLabel={t('tickets.remove_picture')}
          error={pictures.problemOf(fieldOf(place))}
        />
      ))}
      <Button type="submit" loading={form.busy}>
        {sendLabel}
      </Button>
    </form>
  )
}
