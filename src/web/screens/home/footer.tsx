import { isOutside } from '#core/content/safe-link.ts'
import { Link } from '#ui/link.tsx'
import { LogoMark } from '#ui/logo.tsx'
import { addressOf } from '#web/content/page-rows.tsx'
import { useSingleOperator } from '#web/content/use-single-operator.ts'
import { useCustomPages } from '#web/content/use-custom-pages.ts'
import { t } from '#web/i18n/t.ts'
import { useIsDemo, useSettings } from '#web/site/settings.ts'

const LINK = 'inline-flex min-h-11 items-center text-brand underline-offset-4 hover:underline'

/** The site's name, its pages and a risk warning. */
export function Footer() {
  const settings = useSettings()
  const name = settings?.site_name ?? 'Fairwick'
  return (
    <footer className="pt-8 pb-7">
      <p className="flex items-center gap-2 font-bold">
        <LogoMark size={22} />
        {name}
      </p>
      <Pages />
      <SingleOperator />
      <p className="text-small">
        <Link href="/changes" className={LINK}>
          {t('changes.words_count', { count: settings?.changed_texts ?? 0 })}
        </Link>
      </p>
      <p className="mt-2 max-w-[80ch] text-label text-fg-3">{t(useIsDemo() ? 'home.risk_demo' : 'home.risk')}</p>
    </footer>
  )
}

/** States that a single person decides on this site. Renders nothing when two people decide. */
function SingleOperator() {
  return useSingleOperator() && <p className="mt-2 text-small text-fg-2">{t('changes.single')}</p>
}

function Pages() {
  const pages = useCustomPages()?.custom_pages.filter((page) => addressOf(page) !== '') ?? []
  return (
    <ul className="mt-1 flex flex-wrap gap-x-5 text-small">
      {pages.map((page) => (
        <li key={page.slug}>
          <Link href={addressOf(page)} external={isOutside(addressOf(page))} className={LINK}>
            {page.name}
          </Link>
        </li>
      ))}
      <li>
        <Link href="/liabilities" className={LINK}>
          {t('screen.liabilities')}
        </Link>
      </li>
      <li>
        <Link href="/fairness" className={LINK}>
          {t('screen.fairness')}
        </Link>
      </li>
      <li>
        <Link href="/no-control" className={LINK}>
          {t('screen.no_control')}
        </Link>
      </li>
      <li>
        <Link href="/incidents" className={LINK}>
          {t('screen.incidents')}
        </Link>
      </li>
      <li>
        <Link href="/account/limits" className={LINK}>
          {t('screen.limits')}
        </Link>
      </li>
    </ul>
  )
}
