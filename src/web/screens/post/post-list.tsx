import { useState } from 'react'
import type { PostOut } from '#contract/content.ts'
import { plainText } from '#core/content/markup.ts'
import { Link } from '#ui/link.tsx'
import { useCallQuery } from '#web/api/query.tsx'
import { fullDayText } from '#web/i18n/dates.ts'
import { t } from '#web/i18n/t.ts'

import { PagedList } from '#web/lists/paged-list.tsx'
import { DeepHeader } from '#web/shell/headers.tsx'
import { Page } from '#web/shell/page.tsx'
import { useSession } from '#web/session/session.ts'

const PER_PAGE = 10

/** All posts, newest first. */
export function PostList() {
  const [page, setPage] = useState(1)
  const query = useCallQuery('GET /user/posts', { query: { page, per_page: PER_PAGE } }, { keepPrevious: true })
  const parent = useSession() === null ? '/' : '/wallet'
  return (
    <Page title={t('post.title')} header={<DeepHeader title={t('post.title')} parent={parent} />} className="pt-1 pb-8">
      <PagedList
        query={query}
        items={query.data?.data.posts}
        page={page}
        onPage={setPage}
        label={t('post.list')}
        keyOf={({ slug }) => slug}
        emptyText={t('post.empty')}
      >
        {(post) => <PostCard post={post} />}
      </PagedList>
    </Page>
  )
}

function PostCard({ post }: { post: PostOut }) {
  return (
    <article className="card relative p-4 hover:bg-surface-2">
      <p className="text-caption text-fg-3">{fullDayText(Date.parse(post.published_at))}</p>
      <h2 className="mt-0.5 text-heading" dir="auto">
        <Link href={`/post/${post.slug}`} className="after:absolute after:inset-0 after:rounded-card">
          {post.title}
        </Link>
      </h2>
      <p className="mt-1 line-clamp-3 text-fg-2" dir="auto">
        {plainText(post.text)}
      </p>
    </article>
  )
}
