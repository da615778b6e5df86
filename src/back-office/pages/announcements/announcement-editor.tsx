import { useState } from 'react'
import { staffCalls } from '#contract/back-office/staff-calls.ts'
import { useStaffQuery } from '#back-office/api/queries.ts'
import { EditorPage } from '#back-office/editor/editor-page.tsx'
import { newId } from '#ui/new-id.ts'
import { AnnouncementForm } from '#back-office/pages/announcements/announcement-form.tsx'
import { NEW } from '#back-office/pages/content/kinds.ts'
import { t } from '#back-office/i18n/t.ts'

interface AnnouncementEditorProps {
  id: string
  onCreated: (id: string) => void
  onGone: () => void
}

export function AnnouncementEditor({ id, onCreated, onGone }: AnnouncementEditorProps) {
  const isNew = id === NEW
  // The id is created once, so that an announcement that is sent twice is stored once.
  const [ownId] = useState(newId)
  // While the announcement is being removed, change notices must not refetch it.
  const [isGoing, setGoing] = useState(false)
  const query = useStaffQuery(staffCalls.staffAnnouncement, { params: { id } }, { enabled: !isNew && !isGoing })
  const [round, setRound] = useState(0)
  const loadAgain = () => void query.refetch().then(() => setRound((before) => before + 1))
  return (
    <EditorPage
      title={isNew ? t('announcements.new') : t('announcements.text')}
      back="/admin/announcements"
      query={isNew ? null : query}
    >
      {(isNew || query.data) && (
        <AnnouncementForm
          key={round}
          id={isNew ? ownId : id}
          announcement={isNew ? null : (query.data ?? null)}
          onSaved={() => (isNew ? onCreated(ownId) : loadAgain())}
          onLoadAgain={loadAgain}
          onGoing={setGoing}
          onGone={onGone}
        />
      )}
    </EditorPage>
  )
}
