import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import sharp from 'sharp'
import type { Plugin } from 'vite'

const LOGO = fileURLToPath(new URL('../../src/web/public/favicon.svg', import.meta.url))
/** The background colour of the logo. An icon that fills the square with this colour shows no edge around the logo. */
const GROUND = '#0E5F7C'
const ROUND = ' rx="7.84"'
/** The mark of a demo, inside the circle that every phone shows (80 % of the edge). */
const DEMO_MARK =
  '<circle cx="19.4" cy="19.4" r="3.4" fill="#0E5F7C"/><circle cx="19.4" cy="19.4" r="2.6" fill="#F5B25E"/>'

/**
 * The icons of the installed app. A phone cuts a `maskable` or Apple icon into its own shape, so they fill the square.
 */
const ICONS = [
  { name: '192', edge: 192, fills: false },
  { name: '512', edge: 512, fills: false },
  { name: 'maskable-512', edge: 512, fills: true },
  { name: 'apple-180', edge: 180, fills: true },
]

/** Draws the icons of the installed app from the logo, each also with the mark of a demo. */
export function appIcons(): Plugin {
  return {
    name: 'app-icons',
    apply: 'build',
    async generateBundle() {
      const logo = readFileSync(LOGO, 'utf8')
      if (!logo.includes(ROUND)) throw new Error('the logo has no round corners to remove')
      const draw = async (name: string, edge: number, svg: string, fills = false): Promise<void> => {
        const drawn = sharp(Buffer.from(svg), { density: (72 * edge) / 28 }).resize(edge, edge)
        const source = await (fills ? drawn.flatten({ background: GROUND }) : drawn).png().toBuffer()
        this.emitFile({ type: 'asset', fileName: `icons/${name}.png`, source })
      }
      for (const { name, edge, fills } of ICONS) {
        const svg = fills ? logo.replace(ROUND, '') : logo
        await draw(`live-${name}`, edge, svg, fills)
        await draw(`demo-${name}`, edge, svg.replace('</svg>', `${DEMO_MARK}</svg>`), fills)
      }
      await draw('demo-mark', 512, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 28 28">${DEMO_MARK}</svg>`)
    },
  }
}
