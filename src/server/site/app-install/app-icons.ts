import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import type { SitePictures } from '#server/platform/uploads/site-pictures.ts'

/** The icons of the installed app, by the last part of their address. */
export const APP_ICONS = {
  '192': { edge: 192, fills: false },
  '512': { edge: 512, fills: false },
  'maskable-512': { edge: 512, fills: true },
  'apple-180': { edge: 180, fills: true },
} as const
export type AppIcon = keyof typeof APP_ICONS

const UPLOADED = /^\/images\/site\/([0-9a-f]{32}\.webp)$/
/**
 * Phones may cut an icon to a circle whose diameter is 80 % of its edge. The largest square inside this circle has 56 %
 * of the edge.
 */
const SAFE_SHARE = 0.56
const BACKGROUND = '#ffffff'
const CLEAR = { r: 0, g: 0, b: 0, alpha: 0 }

interface OwnIconParts {
  readonly mode: 'demo' | 'live'
  readonly pictures: Pick<SitePictures, 'read'>
  /** The folder of the built app, which contains the picture of the demo mark. */
  readonly folder: string
}

/**
 * Returns the file name of the operator's uploaded picture for icons: the favicon or else the logo. Returns null when
 * neither was uploaded.
 */
export function ownPicture(site: { readonly faviconUrl: string; readonly logoUrl: string }): string | null {
  return UPLOADED.exec(site.faviconUrl)?.[1] ?? UPLOADED.exec(site.logoUrl)?.[1] ?? null
}

/**
 * Returns a function that draws an icon from the operator's picture. The function caches the icons of the newest
 * picture.
 */
export function createOwnIcons(parts: OwnIconParts) {
  let known = new Map<AppIcon, Promise<Buffer | null>>()
  let from = ''
  return (name: string, icon: AppIcon): Promise<Buffer | null> => {
    if (from !== name) {
      from = name
      known = new Map()
    }
    const drawn = known.get(icon) ?? draw(parts, name, icon)
    known.set(icon, drawn)
    // A failed attempt is not cached, so the next request draws the icon again.
    drawn.catch(() => known.delete(icon))
    return drawn
  }
}

async function draw({ mode, pictures, folder }: OwnIconParts, name: string, icon: AppIcon): Promise<Buffer | null> {
  const bytes = await pictures.read(name)
  if (bytes === null) return null
  const { edge, fills } = APP_ICONS[icon]
  const inner = Math.round(edge * (fills ? SAFE_SHARE : 1))
  const picture = await sharp(bytes).resize(inner, inner, { fit: 'contain', background: CLEAR }).png().toBuffer()
  const layers = [{ input: picture }]
  if (mode === 'demo') {
    const mark = await readFile(join(folder, 'icons/demo-mark.png'))
    layers.push({ input: await sharp(mark).resize(edge, edge).png().toBuffer() })
  }
  const ground = { width: edge, height: edge, channels: 4 as const, background: fills ? BACKGROUND : CLEAR }
  return sharp({ create: ground }).composite(layers).png().toBuffer()
}
