import { parseMarkup } from '#core/content/markup.ts'
import { RichText } from '#ui/rich-text.tsx'
import { useCallQuery } from '#web/api/query.tsx'
import { TextScreen } from '#web/screens/information-page/text-screen.tsx'
import { fullDayText } from '#web/i18n/dates.ts'
import { t } from '#web/i18n/t.ts'

export function OnePost({ slug }: { slug: string }) {
  const query = useCallQuery('GET /user/posts/:slug', { params: { slug } })
  const post = query.data?.data.post
  return (
    <TextScreen query={query} title={post?.title ?? t('post.title')} crumb={t('post.title')} parent="/post">
      {post && (
        <>
          <p className="mb-3 text-caption text-fg-3">{fullDayText(Date.parse(post.published_at))}</p>
          <RichText blocks={parseMarkup(post.text)} className="text-fg-2" />
        </>
      )}
    </TextScreen>
  )
}
