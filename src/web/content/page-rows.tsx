import FileText from 'lucide-react/icons/file-text'
import type { ReactElement } from 'react'
import type { CustomPageOut } from '#contract/content.ts'
import { isOutside } from '#core/content/safe-link.ts'
import { ListRow } from '#ui/list-row.tsx'
import { useCustomPages } from '#web/content/use-custom-pages.ts'

/** Returns the operator's pages and links as rows of a list, or null while they load. A link opens in a new tab. */
export function usePageRows(): ReactElement[] | null {
  const loaded = useCustomPages()
  if (loaded === null) return null
  const { custom_pages: pages, image_path: folder } = loaded
  return pages
    .filter((page) => page.content_type === 'page' || page.link !== '')
    .map((page) => (
      <ListRow
        key={page.slug}
        icon={<PageIcon icon={page.icon} folder={folder} />}
        label={page.name}
        href={addressOf(page)}
        external={isOutside(addressOf(page))}
      />
    ))
}

export function addressOf({ content_type: type, slug, link }: CustomPageOut): string {
  // The terms of use have a separate screen, which also lists their versions.
  if (slug === 'terms' && type === 'page') return '/terms'
  return type === 'page' ? `/page/${slug}` : link
}

/** Vector icons take the colour of the surrounding text; pictures keep their colours. */
function PageIcon({ icon, folder }: { icon: string; folder: string }) {
  if (icon === '') return <FileText size={20} strokeWidth={1.75} aria-hidden="true" />
  const address = `${folder}${encodeURIComponent(icon)}`
  if (!icon.endsWith('.svg')) return <img src={address} alt="" width={20} height={20} className="object-contain" />
  return (
    <span
      aria-hidden="true"
      style={{ maskImage: `url("${address}")` }}
      className="block size-5 bg-current mask-contain"
    />
  )
}
