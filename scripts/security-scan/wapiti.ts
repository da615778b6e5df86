import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { MAP_PATH } from './form-gateway.ts'
import { runTool, type ToolRun } from './run-tool.ts'

/**
 * The modules in use. The other modules need the internet, an XML parser, a login form, or a dictionary of other
 * products.
 */
const MODULES =
  'backup,blindsql,cookieflags,crlf,csp,exec,file,htaccess,http_headers,methods,permanentxss,redirect,shellshock,sql,xss'

export interface WapitiFinding {
  readonly kind: string
  readonly where: string
  readonly info: string
}

export interface WapitiReport {
  readonly findings: readonly WapitiFinding[]
  readonly problems: readonly string[]
  /** Modules that ran out of time. */
  readonly cut: readonly string[]
  readonly tookMs: number
}

interface Options {
  readonly address: string
  readonly folder: string
  readonly maxMs: number
  readonly moduleSeconds: number
  readonly modules?: string
}

/** Runs Wapiti on all pages in a gateway's map. */
export async function runWapiti({
  address,
  modules = MODULES,
  moduleSeconds,
  ...options
}: Options): Promise<WapitiReport> {
  const { folder } = options
  mkdirSync(folder, { recursive: true })
  const report = join(folder, 'wapiti.json')
  const args = [
    `--url ${address}/ --start ${address}${MAP_PATH} --scope domain --depth 2 --module ${modules} --max-scan-time 120 --timeout 10`,
    `--max-attack-time ${moduleSeconds} --format json --output ${report} --flush-session --store-session ${folder}`,
    `--store-config ${folder} --no-bugreport --verbose 1`,
  ].flatMap((some) => some.split(' '))
  const run = await runTool('wapiti', args, options)
  writeFileSync(join(folder, 'output.txt'), run.output)
  return readWapiti(run, existsSync(report) ? readFileSync(report, 'utf8') : null)
}

interface Entry {
  readonly method: string
  readonly path: string
  readonly parameter?: string | null
  readonly info: string
}

/** Parses Wapiti's report. A missing report is a problem, as nothing was scanned. */
export function readWapiti({ output, wasCut, tookMs }: ToolRun, report: string | null): WapitiReport {
  const cut = [...output.matchAll(/Max attack time was reached for module (\w+)/g)].map(([, name = '']) => name)
  const problems = wasCut ? ['its time was up before it was done'] : []
  if (report === null) return { findings: [], problems: [...problems, 'it wrote no report'], cut, tookMs }
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the file that it writes
  const { vulnerabilities, anomalies } = JSON.parse(report) as Record<string, Record<string, Entry[]>>
  const findings = Object.entries({ ...vulnerabilities, ...anomalies }).flatMap(([kind, entries]) =>
    entries.map(({ method, path, parameter, info }) => ({
      kind,
      where: `${method} ${path}${parameter ? ` (${parameter})` : ''}`,
      info,
    })),
  )
  return { findings, problems, cut, tookMs }
}
