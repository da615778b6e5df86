import type { SlowReport } from './slow.ts'
import type { SqlmapReport } from './sqlmap.ts'
import { VERDICTS, type Verdict } from './verdicts.ts'
import type { WapitiReport } from './wapiti.ts'

/** The results of the scans in one session. */
export interface ScanOf {
  readonly who: 'user' | 'staff'
  readonly targets: number
  readonly pages: number
  readonly requests: number
  /** Replies with status 500 or higher, by request. */
  readonly failures: ReadonlyMap<string, number>
  /** Whether the session was still logged in at the end. After a log-out, the scanners saw only refusals. */
  readonly isSignedIn: boolean
  readonly sqlmap: SqlmapReport
  readonly wapiti: WapitiReport
}

export interface Found {
  readonly control: readonly { readonly tool: string; readonly found: boolean; readonly what: string }[]
  readonly scans: readonly ScanOf[]
  readonly slow: readonly SlowReport[]
  readonly versions: Readonly<Record<string, string>>
  readonly minutes: number
  readonly tookMs: number
  /** Whether the product still ran at the end. */
  readonly survived: boolean
}

interface Judged {
  readonly tool: Verdict['tool']
  readonly who: string
  readonly says: string
  readonly count: number
  readonly why: string | null
}

/** Lists all findings that are not known to be harmless, including scans that did not complete. */
export function openFindings({ control, scans, slow, survived }: Found): string[] {
  return [
    ...control.filter(({ found }) => !found).map(({ tool, what }) => `${tool} does not find ${what} where it is`),
    ...scans.flatMap(({ who, sqlmap, wapiti, failures, isSignedIn }) => [
      ...sqlmap.problems.map((problem) => `sqlmap as ${who}: ${problem}`),
      ...wapiti.problems.map((problem) => `Wapiti as ${who}: ${problem}`),
      ...[...failures].map(([request, count]) => `${request} failed ${count} times`),
      ...(isSignedIn ? [] : [`the session of the ${who} ended before the scan did`]),
    ]),
    ...judged(scans)
      .filter(({ why }) => why === null)
      .map(({ tool, who, says }) => `${tool} as ${who}: ${says}`),
    ...slow.flatMap((report) => slowProblems(report)),
    ...(survived ? [] : ['the product ended']),
  ]
}

function slowProblems({ attack, problems, unanswered, requests }: SlowReport): string[] {
  const lost = unanswered > 0 ? [`${attack}: ${unanswered} of ${requests} questions of others had no answer`] : []
  return [...problems.map((problem) => `${attack}: ${problem}`), ...lost]
}

/** Merges findings with the same text for several places. */
function judged(scans: readonly ScanOf[]): Judged[] {
  const all = scans.flatMap(({ who, sqlmap, wapiti }) => [
    ...sqlmap.findings.map((says) => ({ tool: 'sqlmap' as const, who, says })),
    ...wapiti.findings.map(({ kind, where, info }) => ({
      tool: 'wapiti' as const,
      who,
      says: `${kind}: ${where}: ${info}`,
    })),
  ])
  const byText = new Map<string, Judged>()
  for (const one of all) {
    const verdict = VERDICTS.find(({ tool, says }) => tool === one.tool && says.test(one.says))
    const key = `${one.who} ${verdict?.why ?? one.says}`
    const known = byText.get(key)
    byText.set(key, { ...one, why: verdict?.why ?? null, ...known, count: (known?.count ?? 0) + 1 })
  }
  return [...byText.values()]
}

export function writeReport(found: Found, at: Date): string {
  const { control, scans, slow, versions, minutes, tookMs } = found
  const open = openFindings(found)
  const seconds = (ms: number): string => `${Math.round(ms / 1000)} s`
  const planted = (name: string): string => {
    const own = control.find(({ tool }) => tool === name)
    return own === undefined ? '–' : `${own.what}: ${own.found ? 'yes' : '**no**'}`
  }
  return `<!-- Written by: npm run security:scan -->

# Security scan

For reviewers: what sqlmap, Wapiti and slowhttptest found against the running product, on ${at.toISOString().slice(0, 10)}, in ${seconds(tookMs)}
(\`SCAN_MINUTES=${minutes}\`). The command ends with 1 when a finding is open.
**${open.length === 0 ? 'Nothing is open.' : `${open.length} open:`}**
${open.map((one) => `\n- ${one}\n`).join('')}
## Set-up

The product runs as with \`npm start\`: demo mode, on loopback, on its own PostgreSQL with the rights of its role, without bots. Limits on calls
and sign-ups are raised, because the scanners would only see \`429\`. Limits on passwords and codes are as always. The calls come from the
OpenAPI document and the back-office contract. A gateway between scanner and product adds the session, turns forms into JSON, and writes the
cursors of lists. Before each scan the tools also scan a small server with planted faults.

|tool|version|scope|finds the planted fault|
|---|---|---|---|
|sqlmap|${versions['sqlmap']}|level 3, PostgreSQL; every free text in queries, paths, cursors and bodies|${planted('sqlmap')}|
|Wapiti|${versions['wapiti']}|all pages and calls; modules backup, blindsql, cookieflags, crlf, csp, exec, file, htaccess, http_headers, methods, permanentxss, redirect, shellshock, sql, xss|${planted('wapiti')}|
|slowhttptest|${versions['slowhttptest']}|${slow[0]?.connections ?? 0} connections each, while another client sends requests|${planted('slowhttptest')}|

Modules of Wapiti that are not run: \`ssrf\`, \`xxe\` (need a host on the internet), \`csrf\` (the forms are the gateway's), \`brute_login_form\` (tested
elsewhere), \`buster\`, \`nikto\`, \`wapp\` (other products).

## Requests

|as|calls|pages|replies|failed (5xx)|places sqlmap tried|found by sqlmap|found by Wapiti|modules cut short|
|---|--:|--:|--:|--:|--:|--:|--:|---|
${scans.map(rowOf).join('\n')}

A module is cut short when it has more to try than its share of the time. \`SCAN_MINUTES\` gives it more.

## Findings

${foundTable(scans)}

## Slow clients

During each attack another client sent requests on new connections. A reply after more than five seconds counts as none.

|attack|connections|requests|no reply|median|slowest|seconds without a reply, by the tool|
|---|--:|--:|--:|--:|--:|--:|
${slow.map((one) => `|${one.attack}|${one.connections}|${one.requests}|${one.unanswered}|${one.medianMs} ms|${one.slowestMs} ms|${one.unavailableSeconds}|`).join('\n')}
`
}

function rowOf({ who, targets, pages, requests, failures, sqlmap, wapiti }: ScanOf): string {
  const failed = [...failures.values()].reduce((sum, count) => sum + count, 0)
  const cells = [who, targets, pages, requests, failed, sqlmap.places, sqlmap.findings.length, wapiti.findings.length]
  return `|${[...cells, wapiti.cut.join(', ') || 'none'].join('|')}|`
}

function foundTable(scans: readonly ScanOf[]): string {
  const all = judged(scans)
  if (all.length === 0) return 'Nothing.'
  const rows = all.map(({ tool, who, says, count, why }) => {
    const words = says.replaceAll('|', '\\|').replaceAll('\n', ' ').slice(0, 160)
    return `|${tool}|${who}|${count}|${words}|${why ?? '**open**'}|`
  })
  return ['|by|as|times|finding|verdict|', '|---|---|--:|---|---|', ...rows].join('\n')
}
