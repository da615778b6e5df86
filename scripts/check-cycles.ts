// `npm run cycles` fails when a file or folder imports itself, directly or indirectly.
import { findCycles, folderGraph, readImportGraph, sourcesIn } from './lib/import-graph.ts'

const files = readImportGraph(sourcesIn(['src', 'test', 'drills', 'sim', 'bench', 'e2e', 'scripts']))
const folders = folderGraph(files)
const problems = [
  ...findCycles(files).map((cycle) => `files import each other in a circle: ${cycle.join(', ')}`),
  ...findCycles(folders).map((cycle) => `folders import each other in a circle: ${cycle.join(', ')}`),
]

for (const problem of problems) console.error(problem)
if (problems.length === 0) console.log(`${files.size} files in ${folders.size} folders, no import cycle`)
process.exitCode = problems.length === 0 ? 0 : 1
