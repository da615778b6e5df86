import { gzipSync } from 'node:zlib'
import type { Plugin, Rolldown } from 'vite'

interface Route {
  /** Modules that the screen loads in addition to the entry before the screen is complete. */
  readonly modules: readonly string[]
  /**
   * The goal in bytes. Without a chart: 1.3 times a bare React page (69.3 kB). With a chart: 1.25 times a bare React
   * page with the chart library (123.3 kB).
   */
  readonly goal: number
}

const ROUTES: Readonly<Record<string, Route>> = {
  'log in': { modules: ['screens/login/login-screen.tsx'], goal: 90_100 },
  trade: {
    modules: ['screens/trade/trade-screen.tsx', 'en.json?trading', 'toasts/live-toasts.tsx', 'chart/price-chart.tsx'],
    goal: 154_100,
  },
}
const STYLE_GOAL = 12_000

/**
 * Prints at the end of a build how much script and style the first load of the two most important routes takes, unless
 * the build is quiet.
 */
export function reportSizes(): Plugin {
  return {
    name: 'report-sizes',
    apply: 'build',
    writeBundle(_options, bundle) {
      const chunks = Object.values(bundle).filter((file) => file.type === 'chunk')
      for (const [route, { modules, goal }] of Object.entries(ROUTES)) {
        const first = chunks.filter(({ isEntry, facadeModuleId }) => {
          return isEntry || modules.some((name) => facadeModuleId?.endsWith(`/${name}`) === true)
        })
        const found = first.filter(({ isEntry }) => !isEntry).length
        if (found !== modules.length) this.error(`the first load of ${route} has ${found} of ${modules.length} modules`)
        const files = withImports(first, bundle)
        const styles = new Set([...files].flatMap(({ viteMetadata }) => [...(viteMetadata?.importedCss ?? [])]))
        const script = sum([...files].map(({ code }) => code))
        const style = sum([...styles].map((name) => sourceOf(bundle[name])))
        if (process.env['FAIRWICK_BUILD'] === 'quiet') continue
        console.log(
          `first load of ${route}, gzip: script ${against(script, goal)} in ${files.size} files, style ${against(style, STYLE_GOAL)}`,
        )
      }
    },
  }
}

/** Returns the chunks and all that they import, directly or not. */
function withImports(
  chunks: readonly Rolldown.OutputChunk[],
  bundle: Rolldown.OutputBundle,
): Set<Rolldown.OutputChunk> {
  const all = new Set(chunks)
  for (const chunk of all) {
    for (const name of chunk.imports) {
      const imported = bundle[name]
      if (imported?.type === 'chunk') all.add(imported)
    }
  }
  return all
}

function sourceOf(file: Rolldown.OutputAsset | Rolldown.OutputChunk | undefined): string | Uint8Array {
  return file?.type === 'asset' ? file.source : ''
}

function sum(sources: readonly (string | Uint8Array)[]): number {
  return sources.reduce((total, source) => total + gzipSync(source, { level: 9 }).length, 0)
}

function against(bytes: number, goal: number): string {
  return `${kilobytes(bytes)} (goal ${kilobytes(goal)})`
}

function kilobytes(bytes: number): string {
  return `${(bytes / 1_000).toFixed(1)} kB`
}
