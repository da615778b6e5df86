import { useState } from 'react'
import type { TermsOfUseOut } from '#contract/terms-of-use.ts'
import { parseMarkup } from '#core/content/markup.ts'
import { Card } from '#ui/card.tsx'
import { RichText } from '#ui/rich-text.tsx'
import { Sheet } from '#ui/sheet.tsx'
import { useCallQuery } from '#web/api/query.tsx'
import { fullDayAndTimeText } from '#web/i18n/dates.ts'
import { t } from '#web/i18n/t.ts'
import { ListStates } from '#web/lists/list-states.tsx'

/** The versions of the terms of use before the version in force, each with its text. */
export function OlderTerms({ terms: { current, versions } }: { terms: TermsOfUseOut }) {
  const [shown, setShown] = useState<number | null>(null)
  const [isOpen, setOpen] = useState(false)
  const older = versions.filter(({ version }) => version < current.version)
  if (older.length === 0) return null
  return (
    <section aria-labelledby="older">
      <h2 id="older" className="mb-2 font-semibold">
        {t('terms_of_use.older')}
      </h2>
      <Card padded={false} className="divide-y divide-line">
        {older.map(({ version, from }) => (
          <button
            key={version}
            type="button"
            aria-haspopup="dialog"
            className="flex min-h-12 w-full items-center px-4 text-start text-small"
            onClick={() => {
              setShown(version)
              setOpen(true)
            }}
          >
            {t('terms_of_use.since', { version, time: fullDayAndTimeText(Date.parse(from)) })}
          </button>
        ))}
      </Card>
      {shown !== null && <OlderSheet version={shown} open={isOpen} onClose={() => setOpen(false)} />}
    </section>
  )
}

function OlderSheet({ version, open, onClose }: { version: number; open: boolean; onClose: () => void }) {
  const query = useCallQuery('GET /user/terms/:version', { params: { version: String(version) } })
  const found = query.data?.data
  return (
    <Sheet
      open={open}
      onClose={onClose}
      title={found?.title ?? t('screen.terms_of_use')}
      closeLabel={t('common.close')}
    >
      <ListStates query={query} isEmpty={found === undefined} emptyText={t('common.no_data')}>
        {found && <RichText blocks={parseMarkup(found.text)} className="pb-4 text-fg-2" />}
      </ListStates>
    </Sheet>
  )
}
