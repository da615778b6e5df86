import { existsSync, readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Sentence } from './prose.ts'

const LINK = /!?\[[^\]]*\]\(([^)\s]+)\)/g
const COMMAND = /\bnpm run (?:--silent )?([\w:-]+)/g
/** A path between backticks: a path of the repository, or a source file relative to a folder of `src` or to a room. */
const PATH = /`((?:src|test|scripts|docs|drills|sim|bench|e2e|data|deploy)\/[\w./-]*|[\w-]+\/[\w./-]+\.tsx?)`/g
const ROOTS = ['', 'src/', 'src/server/']

/** Lists relative links of a page to files or headings that do not exist. */
export function deadLinks(file: string, text: string): Sentence[] {
  return eachMatch(text, LINK).flatMap(({ line, found }) => {
    if (/^[a-z]+:/.test(found)) return []
    const [path = '', anchor] = found.split('#')
    const target = path === '' ? file : join(dirname(file), path)
    if (!existsSync(target)) return [{ line, text: found }]
    if (anchor === undefined || !target.endsWith('.md')) return []
    return headingsOf(readFileSync(target, 'utf8')).has(anchor) ? [] : [{ line, text: found }]
  })
}

/** Commands that `package.json` does not have. */
export function unknownCommands(text: string, scripts: ReadonlySet<string>): Sentence[] {
  return eachMatch(text, COMMAND).flatMap(({ line, found }) => (scripts.has(found) ? [] : [{ line, text: found }]))
}

/** Paths between backticks that the repository does not have. A path that ends with a slash is a folder. */
export function unknownPaths(text: string): Sentence[] {
  return eachMatch(text, PATH).flatMap(({ line, found }) => {
    const isThere = ROOTS.some((root) => isPath(root + found))
    return isThere ? [] : [{ line, text: found }]
  })
}

function isPath(path: string): boolean {
  return existsSync(path) && (!path.endsWith('/') || statSync(path).isDirectory())
}

function eachMatch(text: string, pattern: RegExp): { line: number; found: string }[] {
  return text
    .split('\n')
    .flatMap((line, at) => Array.from(line.matchAll(pattern), ([, found = '']) => ({ line: at + 1, found })))
}

/** The anchors that a Git host makes from the headings of a page. */
function headingsOf(text: string): ReadonlySet<string> {
  const titles = text.matchAll(/^#+ (.+)$/gm)
  return new Set(
    Array.from(titles, ([, title = '']) =>
      title
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
        .trim()
        .replaceAll(' ', '-'),
    ),
  )
}
