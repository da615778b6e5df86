import type { PostOut } from '#contract/content.ts'
import { dayText } from '#web/i18n/dates.ts'

/** "21 Nov 2026": the day a post came out, in UTC. */
export function postDay({ published_at: at }: PostOut): string {
  const day = dayText(Date.parse(at))
  return `${day} ${at.slice(0, 4)}`
}
