// `npm run language`: checks whether documents and code are written as docs/reference/language.md says. Documents must
// have no finding. Findings in code are counted by folder, and may only fall: `language-baseline.json` has the numbers.
// `-- --update` records lower numbers, `-- --list src/core` lists the findings of a folder.
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { vagueNames, vagueTitles } from './lib/language/names.ts'
import { proseProblems, sentencesOfComments, sentencesOfMarkdown } from './lib/language/prose.ts'
import { deadLinks, unknownCommands, unknownPaths } from './lib/language/references.ts'

const BASELINE = 'language-baseline.json'
const KINDS = ['comments', 'names', 'titles'] as const
type Counts = Record<(typeof KINDS)[number], number>

/** The pages that define the rules, and therefore contain the forbidden words. */
const ABOUT_WORDS = new Set(['docs/reference/glossary.md', 'docs/reference/language.md'])

const { values } = parseArgs({ options: { update: { type: 'boolean' }, list: { type: 'string' } } })
const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], { encoding: 'utf8' })
  .split('\n')
  .filter((file) => file !== '' && !/^(node_modules|dist)\//.test(file))
const pages = files.filter((file) => /^((docs|tools|clients|\.github)\/.*|[^/]+)\.md$/.test(file))
// Excludes recorded data, and the client's types, whose texts are generated from the contract.
const isWritten = (file: string) => !file.startsWith('data/') && file !== 'clients/js/src/contract.ts'
const sources = files.filter((file) => /\.(ts|tsx|mjs|css)$/.test(file) && isWritten(file))

const packageFile = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> }
const commands: ReadonlySet<string> = new Set(Object.keys(packageFile.scripts))

if (values.list !== undefined) list(values.list)
else if (values.update === true) update()
else check()

function check(): void {
  const problems = [...pages.flatMap(pageProblems), ...rises()]
  for (const problem of problems) console.error(problem)
  console.log(
    problems.length === 0
      ? `${pages.length} pages, as the language rules say`
      : `${problems.length} findings in language`,
  )
  process.exitCode = problems.length === 0 ? 0 : 1
}

function pageProblems(page: string): string[] {
  const text = readFileSync(page, 'utf8')
  const isGenerated = page.startsWith('docs/generated/')
  const isAboutWords = ABOUT_WORDS.has(page)
  const sentences = isGenerated || isAboutWords ? [] : sentencesOfMarkdown(text)
  const say = (what: string) => (one: { line: number; text: string }) => `${page}:${one.line}: ${what}: ${one.text}`
  return [
    ...sentences.flatMap(({ line, text: sentence }) =>
      proseProblems(sentence, true).map((what) => `${page}:${line}: ${what}: ${sentence.slice(0, 120)}`),
    ),
    ...(isGenerated && !text.startsWith('<!-- Written by: ') ? [`${page}:1: does not begin with its command`] : []),
    ...deadLinks(page, text).map(say('dead link')),
    ...unknownCommands(text, commands).map(say('package.json has no such command')),
    ...(page.startsWith('docs/decisions/') ? [] : unknownPaths(text).map(say('there is no such file'))),
  ]
}

/**
 * Counts the findings in code by folder, not by file, so that a file that is renamed within its folder does not change
 * the numbers.
 */
function countSources(): Map<string, Counts> {
  const counts = new Map<string, Counts>()
  for (const file of sources) {
    const folder = folderOf(file)
    const own = counts.get(folder) ?? { comments: 0, names: 0, titles: 0 }
    const { comments, names, titles } = sourceFindings(file)
    counts.set(folder, {
      comments: own.comments + comments.length,
      names: own.names + names.length,
      titles: own.titles + titles.length,
    })
  }
  return counts
}

function folderOf(file: string): string {
  const [first = '', second = ''] = file.split('/')
  if (!file.includes('/')) return '.'
  return first === 'src' ? `${first}/${second}` : first
}

function sourceFindings(file: string): Record<keyof Counts, string[]> {
  const text = readFileSync(file, 'utf8')
  const say = ({ line, text: own }: { line: number; text: string }) => `${file}:${line}: ${own.slice(0, 140)}`
  return {
    comments: sentencesOfComments(text)
      .filter(({ text: sentence }) => proseProblems(sentence, false).length > 0)
      .map(say),
    names: vagueNames(text).map(say),
    titles: vagueTitles(text).map(say),
  }
}

function rises(): string[] {
  const baseline = readBaseline()
  return [...countSources()].flatMap(([folder, counts]) =>
    KINDS.flatMap((kind) => {
      const allowed = baseline[folder]?.[kind] ?? 0
      if (counts[kind] <= allowed) return []
      return [
        `${folder}: ${counts[kind]} ${kind} to rewrite, ${allowed} were there: npm run language -- --list ${folder}`,
      ]
    }),
  )
}

/** Records numbers that have fallen, and the numbers of new folders. A number never rises. */
function update(): void {
  const before = readBaseline()
  const rows = [...countSources()]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([folder, counts]) => {
      const lower = (kind: keyof Counts) => Math.min(counts[kind], before[folder]?.[kind] ?? counts[kind])
      return [folder, { comments: lower('comments'), names: lower('names'), titles: lower('titles') }] as const
    })
  writeFileSync(BASELINE, `${JSON.stringify(Object.fromEntries(rows), null, 2)}\n`)
}

function readBaseline(): Record<string, Partial<Counts>> {
  try {
    return JSON.parse(readFileSync(BASELINE, 'utf8')) as Record<string, Partial<Counts>>
  } catch {
    return {}
  }
}

function list(folder: string): void {
  for (const file of sources.filter((one) => folderOf(one) === folder || one.startsWith(`${folder}/`))) {
    const findings = sourceFindings(file)
    for (const kind of KINDS) for (const one of findings[kind]) console.log(`${kind}: ${one}`)
  }
}
