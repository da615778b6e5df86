import ChevronRight from 'lucide-react/icons/chevron-right'
import ListChecks from 'lucide-react/icons/list-checks'
import type { HomeContent } from '#contract/content.ts'
import { formatCount } from '#ui/format.ts'
import { Link } from '#ui/link.tsx'
import { t } from '#web/i18n/t.ts'

/** The total reward of the beginner tasks, summed from the existing tasks so that the promised amount is correct. */
export function Bonus({ figures }: { figures: HomeContent['figures'] | null }) {
  if (figures === null || figures.bonus <= 0) return null
  return (
    <Link href="/signup" className="card flex items-center gap-3.5 p-3.5 focus-visible:outline-offset-0">
      <span className="grid size-11 shrink-0 place-items-center rounded-field bg-warn-tint text-warn">
        <ListChecks size={20} strokeWidth={1.75} aria-hidden="true" />
      </span>
      <span className="min-w-0 flex-1">
        <span className="block font-semibold">
          {t('home.bonus', { amount: formatCount(Math.floor(figures.bonus)) })}
        </span>
        <span className="block text-small text-fg-2">{t('home.bonus_text', { count: figures.tasks })}</span>
      </span>
      <ChevronRight size={18} className="flip text-fg-3" aria-hidden="true" />
    </Link>
  )
}
