import { createHash } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { build, type Plugin, type Rolldown } from 'vite'

const SOURCE = fileURLToPath(new URL('../../src/worker/worker.ts', import.meta.url))
/** 1.5 MB unpacked: a phone on a slow network can load this in the background without trouble. */
const MAX_BYTES = 1_500_000
const LANGUAGE = /\/messages\/(?!en\.json)\w\w\.json\?/
/**
 * Files that the worker does not store, because they are useless without a network. `mobile` holds the numbering plans
 * of all countries, `tick-pane` draws live ticks, and `confetti.module` celebrates a result that arrives. The screens in
 * this list show nothing without replies of the server.
 */
const LEFT_OUT = [
  'mobile',
  'confetti.module',
  'no-control-screen',
  'figures-screen',
  'fairness-screen',
  'changes-screen',
  'keys-screen',
  'recover-screen',
  'tick-pane',
  'tickets-screen',
  'ticket-screen',
  'new-ticket-screen',
  'message-form',
  'account-switch',
  'statement-screen',
]
/** The two fonts that nearly every page uses. The worker stores fonts for other scripts only once a page uses them. */
const FONT = /hanken-grotesk-latin-wght|geist-mono-latin-wght/

/**
 * Builds `sw.js`, which lets the app start without a network. The file contains the names of the files that the worker
 * stores: scripts, styles, English texts and the main fonts.
 */
export function appWorker(): Plugin {
  return {
    name: 'app-worker',
    apply: 'build',
    enforce: 'post',
    async generateBundle(_, bundle) {
      const stored = Object.values(bundle).filter(isStored)
      const bytes = stored.reduce((sum, file) => sum + sizeOf(file), 0)
      if (bytes > MAX_BYTES) throw new Error(`the worker stores ${bytes} bytes, more than ${MAX_BYTES}`)
      const files = stored.map(({ fileName }) => `/${fileName}`).toSorted()
      const entry = stored.find((file) => file.type === 'chunk' && file.isEntry)
      if (entry === undefined) throw new Error('the bundle has no entry')
      const page = Object.values(bundle).filter(({ fileName }) => fileName.endsWith('.html'))
      const id = hashOf([...files, ...page.map((file) => String('source' in file && file.source))])
      const facts = { id, files, entry: `/${entry.fileName}` }
      this.emitFile({ type: 'asset', fileName: 'sw.js', source: await compile(facts) })
    },
  }
}

function isStored(file: Rolldown.OutputChunk | Rolldown.OutputAsset): boolean {
  if (file.type === 'chunk') return !LEFT_OUT.includes(file.name) && !LANGUAGE.test(file.facadeModuleId ?? '')
  return file.fileName.endsWith('.css') || FONT.test(file.fileName)
}

function sizeOf(file: Rolldown.OutputChunk | Rolldown.OutputAsset): number {
  return Buffer.byteLength(file.type === 'chunk' ? file.code : file.source)
}

function hashOf(lines: readonly string[]): string {
  return createHash('sha256').update(lines.join('\n')).digest('hex').slice(0, 16)
}

async function compile(facts: object): Promise<string> {
  const built = await build({
    configFile: false,
    logLevel: 'warn',
    publicDir: false,
    define: { BUILD: JSON.stringify(facts) },
    build: {
      write: false,
      target: 'es2022',
      rolldownOptions: { input: SOURCE, output: { format: 'iife', entryFileNames: 'sw.js' } },
    },
  })
  const outputs = [built].flat().flatMap((one) => ('output' in one ? one.output : []))
  const [script] = outputs
  if (script?.type !== 'chunk' || outputs.length !== 1) throw new Error('the worker is not one script')
  return script.code
}
