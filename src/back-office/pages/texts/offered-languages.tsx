import { type ReactNode, useState } from 'react'
import { staffCalls } from '#contract/back-office/staff-calls.ts'
import { Checkbox } from '#ui/checkbox.tsx'
import { TabPanel } from '#ui/tabs.tsx'
import { useToast } from '#ui/toast.tsx'
import type { StaffReply } from '#back-office/api/call-staff.ts'
import { useStaffChange, useStaffQuery } from '#back-office/api/queries.ts'
import { SaveBar } from '#back-office/editor/save-bar.tsx'
import { useMay } from '#back-office/session/staff.ts'
import { t } from '#back-office/i18n/t.ts'
import { NotLoaded } from '#back-office/list/load-failure.tsx'

/** The form for the languages that visitors can choose. */
export function OfferedLanguages({ tabs }: { tabs: ReactNode }) {
  const query = useStaffQuery(staffCalls.staffLanguages, {})
  const [round, setRound] = useState(0)
  const loadAgain = () => void query.refetch().then(() => setRound((before) => before + 1))
  return (
    <main id="content" className="lg:h-dvh lg:overflow-y-auto">
      <h1 className="px-4 pt-4 pb-4 text-title md:px-6 lg:pt-5">{t('nav.texts')}</h1>
      {tabs}
      <TabPanel id="texts" value="languages" className="max-w-[640px] px-4 py-4 md:px-6">
        {query.data ? (
          <LanguagesForm key={round} languages={query.data.languages} onSaved={loadAgain} onLoadAgain={loadAgain} />
        ) : (
          <NotLoaded query={query} count={8} rowHeight={48} />
        )}
      </TabPanel>
    </main>
  )
}

interface LanguagesFormProps {
  languages: StaffReply<typeof staffCalls.staffLanguages>['languages']
  onSaved: () => void
  onLoadAgain: () => void
}

function LanguagesForm({ languages, onSaved, onLoadAgain }: LanguagesFormProps) {
  const toast = useToast()
  const mayEdit = useMay('content.edit')
  const [seen] = useState(() => languages.filter((one) => one.is_offered).map(({ code }) => code))
  const [offered, setOffered] = useState<ReadonlySet<string>>(() => new Set(seen))
  const save = useStaffChange(staffCalls.staffOfferLanguages, {
    onDone: () => {
      toast({ tone: 'success', text: t('texts.offered') })
      onSaved()
    },
  })
  const put = (code: string, isOffered: boolean) =>
    setOffered((before) => new Set(isOffered ? [...before, code] : [...before].filter((one) => one !== code)))
  return (
    <fieldset disabled={!mayEdit} className="contents">
      <p className="pb-2 text-fg-2">{t(mayEdit ? 'texts.offer_hint' : 'content.read_only')}</p>
      <ul className="divide-y divide-line">
        {languages.map(({ code, name, is_default: isDefault, changed, missing }) => (
          <li key={code} className="flex items-center justify-between gap-3">
            <Checkbox
              checked={offered.has(code)}
              disabled={isDefault}
              onChange={(event) => put(code, event.target.checked)}
            >
              <bdi className="font-list text-fg">{name}</bdi>
              {isDefault && <span className="block text-caption text-fg-3">{t('texts.own_language')}</span>}
            </Checkbox>
            <span className="text-end text-caption text-fg-3">
              {changed > 0 && <span className="block">{t('texts.count_changed', { count: changed })}</span>}
              {missing > 0 ? t('texts.count_missing', { count: missing }) : changed === 0 && t('texts.complete')}
            </span>
          </li>
        ))}
      </ul>
      <p className="pt-3 text-fg-2">{t('texts.how_many', { count: offered.size, total: languages.length })}</p>
      {mayEdit && (
        <SaveBar
          isSaving={save.isPending}
          onSave={() => save.mutate({ body: { seen, offered: [...offered] } })}
          failure={save.error}
          onLoadAgain={onLoadAgain}
        />
      )}
    </fieldset>
  )
}
