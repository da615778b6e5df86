import { parseMarkup } from '#core/content/markup.ts'
import { RichText } from '#ui/rich-text.tsx'
import { useCallQuery, withData } from '#web/api/query.tsx'
import { TextScreen } from '#web/screens/information-page/text-screen.tsx'
import { t } from '#web/i18n/t.ts'
import type { ScreenProps } from '#web/shell/screen-props.ts'
import { useSession } from '#web/session/session.ts'

export const InformationPageScreen = withData(InformationPage)

/** A page written by the operator: its name and its text. */
function InformationPage({ params }: ScreenProps) {
  const query = useCallQuery('GET /user/pages/:slug', { params: { slug: params['slug'] ?? '' } })
  const parent = useSession() === null ? '/' : '/wallet'
  const page = query.data?.data.page
  return (
    <TextScreen query={query} title={page?.name ?? t('screen.informationPage')} crumb={t('page.crumb')} parent={parent}>
      {page && <RichText blocks={parseMarkup(page.content)} className="text-fg-2" />}
    </TextScreen>
  )
}
