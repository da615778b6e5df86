import { describe, expect, it } from 'vitest'
import { openFindings, writeReport, type Found, type ScanOf } from './report.ts'
import { readSlow } from './slow.ts'
import { readSqlmap } from './sqlmap.ts'
import { readWapiti } from './wapiti.ts'

const toolRun = (output: string, wasCut = false) => ({ code: 0, output, tookMs: 5, wasCut })

describe('readSqlmap', () => {
  const QUIET = [
    '[1/2] URL:',
    'GET http://127.0.0.1:1/api/user/pages/rules*',
    "[03:58:31] [WARNING] URI parameter '#1*' does not seem to be injectable",
    '[2/2] URL:',
    "[03:58:34] [WARNING] (custom) POST parameter 'JSON #1*' does not seem to be injectable",
    '[03:58:34] [ERROR] all tested parameters do not appear to be injectable.',
  ].join('\n')

  it('reports no problem when all requests were scanned without findings', () => {
    expect(readSqlmap(toolRun(QUIET), 2)).toMatchObject({ scanned: 2, places: 2, findings: [], problems: [] })
  })

  it('lists findings', () => {
    const found = `${QUIET}\n[03:58:35] [INFO] GET parameter 'name' appears to be 'AND boolean-based blind' injectable`
    expect(readSqlmap(toolRun(found), 2).findings).toHaveLength(1)
    const sure = `${QUIET}\nGET parameter 'name' is vulnerable. Do you want to keep testing the others?`
    expect(readSqlmap(toolRun(sure), 2).findings).toHaveLength(1)
  })

  it.each([
    ['ran out of time', toolRun(QUIET, true), 3],
    ['scanned fewer requests than it was given', toolRun(QUIET), 3],
    ['did nothing', toolRun(''), 2],
    ['could not connect', toolRun(`${QUIET}\n[03:58:35] [CRITICAL] unable to connect to the target URL`), 2],
  ])('reports a problem when sqlmap %s', (_what, run, given) => {
    expect(readSqlmap(run, given).problems).not.toEqual([])
  })
})

describe('readWapiti', () => {
  const entry = { method: 'GET', path: '/hello', parameter: 'who', info: 'XSS', level: 1 }
  const report = JSON.stringify({
    vulnerabilities: { 'Cross Site Scripting': [entry], 'SQL Injection': [] },
    anomalies: { 'Internal Server Error': [{ ...entry, parameter: null }] },
  })

  it('lists every vulnerability and anomaly', () => {
    expect(readWapiti(toolRun(''), report)).toMatchObject({
      findings: [
        { kind: 'Cross Site Scripting', where: 'GET /hello (who)', info: 'XSS' },
        { kind: 'Internal Server Error', where: 'GET /hello' },
      ],
      problems: [],
      cut: [],
    })
  })

  it('reports a problem when the tool wrote no report or ran out of time', () => {
    expect(readWapiti(toolRun(''), null).problems).toEqual(['it wrote no report'])
    expect(readWapiti(toolRun('', true), report).problems).toHaveLength(1)
  })

  it('lists the modules that ran out of time', () => {
    const output = 'Max attack time was reached for module exec, stopping.\n'
    expect(readWapiti(toolRun(output), report).cut).toEqual(['exec'])
  })
})

it('readSlow counts the seconds in which the probe got no reply', () => {
  const csv = 'Seconds,Closed,Pending,Connected,Service Available\n0,0,1,0,60\n1,0,9,51,0\n2,40,0,20,60\n'
  expect(readSlow(csv)).toEqual({ unavailableSeconds: 1, closed: 40, maxConnections: 60 })
})

describe('the report', () => {
  const scan: ScanOf = {
    who: 'user',
    targets: 2,
    pages: 3,
    requests: 40,
    failures: new Map(),
    isSignedIn: true,
    sqlmap: { given: 2, scanned: 2, places: 2, findings: [], problems: [], tookMs: 1 },
    wapiti: { findings: [], problems: [], cut: [], tookMs: 1 },
  }
  const slow = {
    attack: 'slow headers',
    connections: 9,
    unavailableSeconds: 0,
    closedByServer: 0,
    requests: 8,
    unanswered: 0,
    slowestMs: 7,
    medianMs: 3,
    problems: [],
  }
  const found: Found = {
    control: [{ tool: 'sqlmap', found: true, what: 'SQL' }],
    scans: [scan],
    slow: [slow],
    versions: { sqlmap: '1' },
    minutes: 12,
    tookMs: 5,
    survived: true,
  }
  const withScan = (part: Partial<ScanOf>): Found => ({ ...found, scans: [{ ...scan, ...part }] })

  it('names no open finding when all scans completed without findings', () => {
    expect(openFindings(found)).toEqual([])
    expect(writeReport(found, new Date(0))).toContain('Nothing is open.')
  })

  it.each([
    ['a scanner that misses the vulnerable server', { ...found, control: [{ tool: 'a', found: false, what: 'b' }] }],
    ['a finding', withScan({ sqlmap: { ...scan.sqlmap, findings: ["parameter 'x' is vulnerable"] } })],
    [
      'another finding',
      withScan({ wapiti: { ...scan.wapiti, findings: [{ kind: 'SQL Injection', where: 'GET /', info: '' }] } }),
    ],
    ['a scanner that did not complete', withScan({ wapiti: { ...scan.wapiti, problems: ['its time was up'] } })],
    ['a reply with status 500', withScan({ failures: new Map([['GET /', 1]]) })],
    ['a session that ended', withScan({ isSignedIn: false })],
    ['another client without a reply', { ...found, slow: [{ ...slow, unanswered: 1 }] }],
    ['a product that stopped', { ...found, survived: false }],
  ])('has an open finding with %s', (_what, given) => {
    expect(openFindings(given)).toHaveLength(1)
    expect(writeReport(given, new Date(0))).toContain('1 open:')
  })
})
