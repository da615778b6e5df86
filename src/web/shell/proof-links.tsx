import { Link } from '#ui/link.tsx'
import { t } from '#web/i18n/t.ts'

const PAGES = [
  { name: 'check', href: '/check' },
  { name: 'changes', href: '/changes' },
  { name: 'incidents', href: '/incidents' },
  { name: 'register', href: '/register' },
  { name: 'prices', href: '/prices' },
  { name: 'fairness', href: '/fairness' },
  { name: 'liabilities', href: '/liabilities' },
  { name: 'no_control', href: '/no-control' },
] as const

/** Links to the other pages on which anyone can verify the site. */
export function ProofLinks({ from }: { from: (typeof PAGES)[number]['name'] }) {
  return (
    <nav
      aria-label={t('incidents.more')}
      // Hidden until the content above has its final height, so that it does not move under a thumb.
      className="mt-6 [main:has([aria-busy=true])_&]:invisible"
    >
      <ul className="flex flex-wrap gap-x-5 text-small">
        {PAGES.filter(({ name }) => name !== from).map(({ name, href }) => (
          <li key={name}>
            <Link
              href={href}
              className="inline-flex min-h-11 items-center text-brand underline-offset-4 hover:underline"
            >
              {t(`screen.${name}`)}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  )
}
