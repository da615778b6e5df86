import { useForm } from 'react-hook-form'
import type { z } from 'zod'
import { staffCalls } from '#contract/back-office/staff-calls.ts'
import { Button } from '#ui/button.tsx'
import { useToast } from '#ui/toast.tsx'
import { useStaffChange } from '#back-office/api/queries.ts'
import { FormFailure, setFormErrors } from '#back-office/forms/form-failure.tsx'
import { TextArea } from '#back-office/forms/text-area.tsx'
import { time } from '#back-office/i18n/format.ts'
import type { Column } from '#back-office/list/data-table.tsx'
import { PartList } from '#back-office/list/part-list.tsx'
import { t } from '#back-office/i18n/t.ts'

/** Staff notes about a user, and a field to add one. */
export function UserNotes({ userId }: { userId: string }) {
  return (
    <>
      <NewNote userId={userId} />
      <PartList
        title={t('users.tab_notes')}
        call={staffCalls.staffUserNotes}
        params={{ id: userId }}
        columns={COLUMNS}
        keyOf={({ id }) => id}
        empty={t('users.notes_none')}
      />
    </>
  )
}

const COLUMNS: readonly Column<z.output<typeof staffCalls.staffUserNotes.row>>[] = [
  {
    id: 'note',
    head: t('users.note'),
    cell: ({ text }) => <span className="block max-w-prose whitespace-pre-wrap break-words">{text}</span>,
  },
  {
    id: 'by',
    head: t('users.written'),
    end: true,
    cell: (row) => (
      <span>
        <span className="block font-list">{row.by}</span>
        <span className="num block text-caption text-fg-3">{time(row.time)}</span>
      </span>
    ),
  },
]

function NewNote({ userId }: { userId: string }) {
  const toast = useToast()
  const form = useForm({ defaultValues: { text: '' } })
  const add = useStaffChange(staffCalls.staffAddUserNote)
  const { errors, isSubmitting } = form.formState
  const send = form.handleSubmit(({ text }) =>
    setFormErrors(form, async () => {
      await add.mutateAsync({ params: { id: userId }, body: { text } })
      toast({ tone: 'success', text: t('users.note_added') })
      form.reset()
    }),
  )
  return (
    <form
      onSubmit={(event) => void send(event)}
      noValidate
      className="flex max-w-[640px] flex-col gap-2 px-4 pt-4 md:px-6"
    >
      <FormFailure form={form} />
      <TextArea
        {...form.register('text', { validate: (text) => text.trim() !== '' || t('refusal.note_empty') })}
        label={t('users.note_new')}
        hint={t('users.note_hint')}
        maxLength={2_000}
        error={errors.text?.message}
      />
      <Button type="submit" size="m" className="self-start" loading={isSubmitting}>
        {t('users.note_add')}
      </Button>
    </form>
  )
}
