import { useNavigate, useParams } from 'react-router'
import { type ContentBase, CONTENT_PAGES } from '#back-office/pages/content/kinds.ts'
import { ContentEditor } from '#back-office/pages/content/content-editor.tsx'
import { ContentList } from '#back-office/pages/content/content-list.tsx'
import { t } from '#back-office/i18n/t.ts'

export function PagesPage() {
  return <ContentPage base="/pages" title={t('nav.content_pages')} />
}

export function HomeContentPage() {
  return <ContentPage base="/faq" title={t('nav.content_home')} />
}

/** The list of a kind of content, or one entry of it. */
function ContentPage({ base, title }: { base: ContentBase; title: string }) {
  const { kind: wanted, key } = useParams()
  const navigate = useNavigate()
  const kinds = CONTENT_PAGES[base]
  const kind = kinds.find((one) => one === wanted) ?? kinds[0]
  const goTo = (path: string) => void navigate(path)
  if (key === undefined) return <ContentList base={base} kind={kind} title={title} onGo={goTo} />
  return (
    <ContentEditor
      key={`${kind} ${key}`}
      kind={kind}
      contentKey={key}
      back={`${base}/${kind}`}
      onCreated={(newKey) => goTo(`${base}/${kind}/${newKey}`)}
      onGone={() => goTo(`${base}/${kind}`)}
    />
  )
}
