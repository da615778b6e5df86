import type { Plugin, Rolldown } from 'vite'

const SCREEN = /\/screens\/([\w-]+)\/\1-screen\.tsx$/
const TEXTS = /\/messages\/(\w\w)\.json\?(first|trading|more)$/
const CHART = /\/chart\/price-chart\.tsx$/

/**
 * Writes `pages.json` beside the built page. It lists the files of each screen, of each part of the texts and of the
 * chart, without the files that every page loads. From this list the server adds preload links to a page
 * (`src/server/site/pages`).
 */
export function listPageFiles(): Plugin {
  return {
    name: 'list-page-files',
    apply: 'build',
    generateBundle(_, bundle) {
      const chunks = Object.values(bundle).filter((file) => file.type === 'chunk')
      const page = new Set(chunks.filter(({ isEntry }) => isEntry).flatMap((chunk) => needed(chunk, bundle)))
      const screens: Record<string, readonly string[]> = {}
      const texts: Record<string, Record<string, string>> = {}
      let chart: readonly string[] = []
      for (const chunk of chunks) {
        const id = chunk.facadeModuleId ?? ''
        const files = needed(chunk, bundle).filter((file) => !page.has(file))
        const [, screen] = SCREEN.exec(id) ?? []
        if (screen !== undefined) screens[screen] = files
        const [, language, part] = TEXTS.exec(id) ?? []
        if (language !== undefined && part !== undefined) (texts[language] ??= {})[part] = chunk.fileName
        if (CHART.test(id)) chart = files
      }
      if (Object.keys(screens).length === 0 || chart.length === 0)
        throw new Error('the bundle has no screens or no chart')
      this.emitFile({ type: 'asset', fileName: 'pages.json', source: JSON.stringify({ screens, texts, chart }) })
    },
  }
}

/** The chunk's file and the files that it imports statically. */
function needed(chunk: Rolldown.OutputChunk, bundle: Rolldown.OutputBundle): string[] {
  const files = new Set<string>([chunk.fileName])
  for (const name of files) {
    const file = bundle[name]
    if (file?.type === 'chunk') for (const imported of file.imports) files.add(imported)
  }
  return [...files]
}
