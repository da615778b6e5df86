import { useEffect, useState } from 'react'
import { AnnouncementStrip } from '#ui/announcement-strip.tsx'
import { readJson, writeItem } from '#ui/state/browser-storage.ts'
import { call, type Reply } from '#web/api/call.ts'
import { t } from '#web/i18n/t.ts'
import { serverNowMs } from '#web/site/settings.ts'

type Announcement = Reply<'GET /user/announcements'>['announcements'][number]

const KEY = 'announcements-read'
/** The number of closed announcements to remember. Older ones have expired. */
const MAX_REMEMBERED = 50

/**
 * The operator's announcements above every screen until the reader closes them. The app remounts the component when the
 * list changes.
 */
export function Announcements() {
  const [all, setAll] = useState<readonly Announcement[]>([])
  const [read, setRead] = useState(readBefore)
  useEffect(() => {
    const asking = new AbortController()
    call('GET /user/announcements', { signal: asking.signal }).then(
      ({ data }) => setAll(data.announcements),
      // After a failure, the next version of the announcements or the next visit loads them.
      () => undefined,
    )
    return () => asking.abort()
  }, [])
  const shown = all.filter((one) => !read.includes(nameOf(one)) && Date.parse(one.until) > serverNowMs())
  const close = (one: Announcement) => {
    const next = [...read, nameOf(one)].slice(-MAX_REMEMBERED)
    writeItem('localStorage', KEY, JSON.stringify(next))
    setRead(next)
  }
  return (
    <section aria-label={t('home.announcements')} aria-live="polite">
      {shown.map((one) => (
        <AnnouncementStrip
          key={nameOf(one)}
          announcement={one}
          readMore={t('home.read_more')}
          closeLabel={t('shell.dismiss')}
          onClose={() => close(one)}
        />
      ))}
    </section>
  )
}

/**
 * Returns the name under which a closed announcement is remembered. An edited announcement has a new version, so it is
 * shown again.
 */
function nameOf({ id, version }: Announcement): string {
  return `${id} ${version}`
}

function readBefore(): readonly string[] {
  const stored = readJson('localStorage', KEY)
  return Array.isArray(stored) ? stored.filter((name) => typeof name === 'string') : []
}
