import type { SlowReport } from './slow.ts'
import type { SqlmapReport } from './sqlmap.ts'
import { VERDICTS, type Verdict } from './verdicts.ts'
import type { WapitiReport } from './wapiti.ts'

/** The results of the scans in one session. */
export interface ScanOf {
  readonly who: 'user' | 'staff'
  readonly targets: number
  readonly pages: number
  readonly asked: number
  /** Replies with status 500 or higher, by request. */
  readonly failures: ReadonlyMap<string, number>
  /** Whether the session was still logged in at the end. Without it, the scanners saw only refusals. */
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
      ...[...failures].map(([asked, count]) => `${asked} failed ${count} times`),
      ...(isSignedIn ? [] : [`the session of the ${who} ended before the scan did`]),
    ]),
    ...judged(scans)
      .filter(({ why }) => why === null)
      .map(({ tool, who, says }) => `${tool} as ${who}: ${says}`),
    ...slow.flatMap((report) => slowProblems(report)),
    ...(survived ? [] : ['the product ended']),
  ]
}

function slowProblems({ attack, problems, unanswered, asked }: SlowReport): string[] {
  const lost = unanswered > 0 ? [`${attack}: ${unanswered} of ${asked} questions of others had no answer`] : []
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
  return `# Scanned from outside

Written by \`npm run security:scan\` on ${at.toISOString().slice(0, 10)}, in ${seconds(tookMs)} (\`SCAN_MINUTES=${minutes}\`). It ends with 1 when anything is open.
**${open.length === 0 ? 'Nothing is open.' : `${open.length} open:`}**

${open.map((one) => `- ${one}`).join('\n')}

## What was scanned

The product as \`npm start\` runs it, on loopback, on a PostgreSQL of its own and with the rights the server has there; bots off. It
runs in demo mode, as a live one needs real prices, mail and a certificate: it differs by its demo accounts, which open the
back office to this machine alone, and by the outbox. Calls per address and per account and sign-ups per hour are raised for the scan, or
the scanners would see \`429\` after their first second; what counts wrong passwords and codes is as it always is.

Calls are read from the OpenAPI document, those of the back office from the same contract. Scanners fill in forms and follow links, and the
product has neither: between them stands a gateway that adds the session, makes JSON of forms, and writes the cursors of lists so that
what is inside of them is tried too.

| tool | version | how |
|---|---|---|
| sqlmap | ${versions['sqlmap']} | level 3, PostgreSQL, boolean, error-based, stacked, timed and inline (a union only reads more once another has found a way), every free text in queries, addresses, cursors and bodies; what must be a number, a date, an id or one of a few words is refused as anything else (fuzz tests) |
| Wapiti | ${versions['wapiti']} | all pages and calls; modules backup, blindsql, cookieflags, crlf, csp, exec, file, htaccess, http_headers, methods, permanentxss, redirect, shellshock, sql, xss |
| slowhttptest | ${versions['slowhttptest']} | ${slow[0]?.connections ?? 0} connections each, while somebody else goes on asking |

Not run of Wapiti: \`ssrf\` and \`xxe\` (they need a host on the internet; outgoing addresses have [tests of their own](attacks.md), and nothing reads XML),
\`csrf\` (the forms are those of the gateway), \`brute_login_form\` (guessing is throttled, with tests), \`buster\` and \`nikto\` (files of other products), \`wapp\` (names
products).

## That they would find something

Before each scan the same tools meet a small server that is wrong on purpose.

| tool | what is wrong there | found |
|---|---|---|
${control.map(({ tool, what, found: isFound }) => `| ${tool} | ${what} | ${isFound ? 'yes' : '**no**'} |`).join('\n')}

## What they asked

| as | calls | pages | answers | failed (5xx) | places sqlmap tried | found by sqlmap | found by Wapiti | modules cut short |
|---|---|---|---|---|---|---|---|---|
${scans.map(rowOf).join('\n')}

A module is cut short when it has more to try than its share of the time; \`SCAN_MINUTES\` gives it more.

## What they found

${foundTable(scans)}

## Slow clients

Meanwhile somebody else asked, each time on a new connection; an answer later than five seconds counts as none.

| attack | connections | asked | no answer | median | slowest | seconds the tool itself saw no answer |
|---|---|---|---|---|---|---|
${slow.map((one) => `| ${one.attack} | ${one.connections} | ${one.asked} | ${one.unanswered} | ${one.medianMs} ms | ${one.slowestMs} ms | ${one.unavailableSeconds} |`).join('\n')}
`
}

function rowOf({ who, targets, pages, asked, failures, sqlmap, wapiti }: ScanOf): string {
  const failed = [...failures.values()].reduce((sum, count) => sum + count, 0)
  const cells = [who, targets, pages, asked, failed, sqlmap.places, sqlmap.findings.length, wapiti.findings.length]
  return `| ${[...cells, wapiti.cut.join(', ') || 'none'].join(' | ')} |`
}

function foundTable(scans: readonly ScanOf[]): string {
  const all = judged(scans)
  if (all.length === 0) return 'Nothing.'
  const rows = all.map(({ tool, who, says, count, why }) => {
    const words = says.replaceAll('|', '\\|').replaceAll('\n', ' ').slice(0, 160)
    return `| ${tool} | ${who} | ${count} | ${words} | ${why ?? '**open**'} |`
  })
  return ['| by | as | times | what it says | verdict |', '|---|---|---|---|---|', ...rows].join('\n')
}
