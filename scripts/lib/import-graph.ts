import { readdirSync, readFileSync } from 'node:fs'
import { posix } from 'node:path'
import ts from 'typescript'

const ALIASES = Object.entries((JSON.parse(readFileSync('package.json', 'utf8')) as PackageFile).imports)

interface PackageFile {
  /** Path aliases such as `#server/*` → `./src/server/*`. */
  readonly imports: Readonly<Record<string, string>>
}

/**
 * Maps each file to the project files that it imports, with types and dynamic imports. Paths are from the project's
 * folder.
 */
export type ImportGraph = ReadonlyMap<string, ReadonlySet<string>>

/**
 * Lists the sources below some folders, without tests and journeys: tests may import anything, and nothing imports
 * them.
 */
export function sourcesIn(folders: readonly string[]): string[] {
  return folders.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.(?:ts|tsx|mjs)$/.test(name) && !/\.(?:test|spec|pictures)\.tsx?$/.test(name))
      .map((name) => `${folder}/${name}`),
  )
}

export function readImportGraph(files: readonly string[]): ImportGraph {
  return new Map(files.map((file) => [file, importsOf(file, readFileSync(file, 'utf8'))]))
}

/** Returns the files that a source imports, by alias or by path. */
export function importsOf(file: string, text: string): ReadonlySet<string> {
  const named = ts.preProcessFile(text, true, true).importedFiles.map(({ fileName }) => resolve(file, fileName))
  return new Set(named.filter((path) => path !== null))
}

function resolve(file: string, specifier: string): string | null {
  if (specifier.startsWith('.')) return posix.join(posix.dirname(file), specifier)
  const alias = ALIASES.find(([name]) => specifier.startsWith(name.slice(0, -1)))
  if (alias === undefined) return null
  const [name, folder] = alias
  return posix.join(folder.slice(0, -1), specifier.slice(name.length - 1))
}

/** Returns the import graph of the folders. */
export function folderGraph(graph: ImportGraph): ImportGraph {
  const folders = new Map<string, Set<string>>()
  for (const [file, imports] of graph) {
    const folder = posix.dirname(file)
    const others = folders.get(folder) ?? new Set()
    folders.set(folder, others)
    for (const other of imports) if (posix.dirname(other) !== folder) others.add(posix.dirname(other))
  }
  return folders
}

/** Finds the strongly connected components (Tarjan's algorithm). Empty when no file or folder is in a cycle. */
export function findCycles(graph: ImportGraph): string[][] {
  const cycles: string[][] = []
  const numbers = new Map<string, number>()
  const stack: string[] = []
  const visit = (node: string): number => {
    const number = numbers.size
    numbers.set(node, number)
    stack.push(node)
    let lowest = number
    for (const next of graph.get(node) ?? []) {
      if (!numbers.has(next)) lowest = Math.min(lowest, visit(next))
      else if (stack.includes(next)) lowest = Math.min(lowest, numbers.get(next) ?? lowest)
    }
    if (lowest === number) {
      const group = stack.splice(stack.indexOf(node))
      if (group.length > 1) cycles.push(group.toSorted())
    }
    return lowest
  }
  for (const node of graph.keys()) if (!numbers.has(node)) visit(node)
  return cycles
}
