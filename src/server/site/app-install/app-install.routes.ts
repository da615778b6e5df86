import { createHash } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { readLanguage } from '#messages/languages.ts'
import type { SitePictures } from '#server/platform/uploads/site-pictures.ts'
import { isTagMatch } from '#server/platform/http/prepared-reply.ts'
import type { Settings } from '#server/settings/site-settings.ts'
import { APP_ICONS, type AppIcon, createOwnIcons, ownPicture } from '#server/site/app-install/app-icons.ts'
import { appManifest } from '#server/site/app-install/app-manifest.ts'

const ICON_NAMES = Object.keys(APP_ICONS) as AppIcon[]

export interface AppInstallParts {
  readonly mode: 'demo' | 'live'
  readonly settings: Settings
  readonly sitePictures: SitePictures
  /** The folder of the built app. */
  readonly folder: string
  /** Whether the app's service worker stores the app in browsers, so that it starts without a network. */
  readonly offlineStart: boolean
}

/**
 * The service worker that replaces the app's service worker when the operator has turned it off. It deletes the stored
 * files and unregisters itself. It unregisters as soon as it is installed, because a browser activates it only when the
 * old worker is idle. It deletes the files again when activated, because the old worker may store files until then. It
 * does not wait for `unregister`, because `unregister` waits for the end of the installation.
 */
const NO_WORKER = `const drop = async () => {
  for (const name of await caches.keys()) await caches.delete(name)
}
addEventListener('install', (event) => {
  skipWaiting()
  registration.unregister()
  event.waitUntil(drop())
})
addEventListener('activate', (event) => event.waitUntil(drop()))
`

/** Serves what a phone needs to install the app: its manifest and icons. */
export function appInstallRoutes(app: FastifyInstance, parts: AppInstallParts): void {
  const { mode, settings, sitePictures, folder } = parts
  const drawOwn = createOwnIcons({ mode, pictures: sitePictures, folder })

  app.get<{ Querystring: { lang?: unknown } }>('/manifest.webmanifest', async ({ query, headers }, reply) => {
    const requested = readLanguage(typeof query.lang === 'string' ? query.lang : null)
    const { defaultLanguage, languages, siteName, faviconUrl, logoUrl } = settings.current
    const language =
      requested !== null && languages.includes(requested) ? requested : (readLanguage(defaultLanguage) ?? 'en')
    const body = JSON.stringify(appManifest({ mode, language, siteName, faviconUrl, logoUrl }))
    const tag = createHash('sha256').update(body).digest('base64url')
    void reply.header('cache-control', 'no-cache').header('etag', `"${tag}"`)
    if (isTagMatch(`"${tag}"`, headers['if-none-match'])) return reply.code(304).send()
    return reply.type('application/manifest+json; charset=utf-8').send(body)
  })

  app.get<{ Params: { file: string } }>('/icons/own/:file', async ({ params }, reply) => {
    const name = ownPicture(settings.current)
    const icon = ICON_NAMES.find((one) => `${one}.png` === params.file)
    const drawn = name === null || icon === undefined ? null : await drawOwn(name, icon)
    if (drawn === null) {
      reply.callNotFound()
      return reply
    }
    return reply.header('cache-control', 'no-cache').type('image/png').send(drawn)
  })

  if (parts.offlineStart) return
  app.get('/sw.js', async (_request, reply) =>
    reply.header('cache-control', 'no-cache').type('text/javascript; charset=utf-8').send(NO_WORKER),
  )
}
