import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { MUTATION_GROUPS } from './mutation-groups.mjs'
import { ROOT } from './process/root.mjs'

const DOCUMENT = join(ROOT, 'docs/generated/mutation.md')
const BEGIN = '<!-- table: written by npm run mutation -->'
const END = '<!-- end of table -->'

/**
 * Writes the result of the last run of each group into the table of the document. The row of a group that did not run
 * on this machine stays unchanged.
 */
export function writeMutationTable() {
  const text = readFileSync(DOCUMENT, 'utf8')
  const before = text.slice(0, text.indexOf(BEGIN) + BEGIN.length)
  const after = text.slice(text.indexOf(END))
  const storedRows = text.slice(before.length, text.indexOf(END)).split('\n').map(readRow)
  const rows = Object.keys(MUTATION_GROUPS).flatMap(
    (name) => rowOfGroup(name) ?? storedRows.filter(({ group }) => group === name),
  )
  writeFileSync(DOCUMENT, `${before}\n${tableOf(rows)}\n${after}`)
}

function readRow(line) {
  const [, group, files, mutants, killed, , date] = line.split('|').map((cell) => cell.trim())
  return { group, date, files: Number(files), mutants: Number(mutants), killed: Number(killed) }
}

function rowOfGroup(group) {
  const report = join(ROOT, `node_modules/.cache/mutation/${group}.json`)
  if (!existsSync(report)) return null
  const date = statSync(report).mtime.toISOString().slice(0, 10)
  const files = Object.values(JSON.parse(readFileSync(report, 'utf8')).files)
  // A mutant whose test never ends counts as killed. A mutant that does not compile is not counted.
  const count = (...statuses) =>
    files.flatMap(({ mutants }) => mutants).filter(({ status }) => statuses.includes(status)).length
  const killed = count('Killed', 'Timeout')
  return { group, date, files: files.length, killed, mutants: killed + count('Survived', 'NoCoverage') }
}

function tableOf(rows) {
  return [
    '|group|files|mutants|killed|score|date|',
    '|---|--:|--:|--:|--:|---|',
    ...rows.map(
      ({ group, files, mutants, killed, date }) =>
        `|${group}|${files}|${mutants}|${killed}|${((100 * killed) / mutants).toFixed(1)} %|${date}|`,
    ),
  ].join('\n')
}
