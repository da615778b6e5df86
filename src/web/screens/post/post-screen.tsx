import { withData } from '#web/api/query.tsx'
import type { ScreenProps } from '#web/shell/screen-props.ts'
import { OnePost } from '#web/screens/post/one-post.tsx'
import { PostList } from '#web/screens/post/post-list.tsx'

export const PostScreen = withData(Post)

/** The posts of the site, or one post. */
function Post({ params }: ScreenProps) {
  const slug = params['slug']
  return slug === undefined ? <PostList /> : <OnePost slug={slug} />
}
