import { useRef, useState } from 'react'
import type { PostOut } from '#contract/content.ts'
import { plainText } from '#core/content/markup.ts'
import { Link } from '#ui/link.tsx'
import { Pager } from '#ui/pager.tsx'
import { useCallQuery } from '#web/api/query.tsx'
import { fullDayText } from '#web/i18n/dates.ts'
import { t } from '#web/i18n/t.ts'

import { ListStates, pagerLabels } from '#web/screens/transaction-history/list-states.tsx'
import { DeepHeader } from '#web/shell/headers.tsx'
import { Page } from '#web/shell/page.tsx'
import { useSession } from '#web/shell/session.ts'

const PER_PAGE = 10

/** All posts, newest first. */
export function PostList() {
  const [page, setPage] = useState(1)
  const top = useRef<HTMLUListElement>(null)
  const query = useCallQuery('GET /user/posts', { query: { page, per_page: PER_PAGE } }, { keepPrevious: true })
  const parent = useSession() === null ? '/' : '/wallet'
  const posts = query.data?.data.posts
  return (
    <Page title={t('post.title')} header={<DeepHeader title={t('post.title')} parent={parent} />} className="pt-1 pb-8">
      <ListStates query={query} isEmpty={posts?.length === 0} emptyText={t('post.empty')}>
        <ul ref={top} tabIndex={-1} aria-label={t('post.list')} className="flex flex-col gap-2 outline-none">
          {posts?.map((post) => (
            <li key={post.slug}>
              <PostCard post={post} />
            </li>
          ))}
        </ul>
        <Pager
          page={page}
          pageCount={query.data?.meta?.pages ?? 1}
          onChange={(next) => {
            setPage(next)
            globalThis.scrollTo(0, 0)
          }}
          labels={pagerLabels()}
          listTop={top}
        />
      </ListStates>
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
