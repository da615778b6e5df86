import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { MUTATION_GROUPS } from './mutation-groups.mjs'
import { ROOT } from './process/root.mjs'

const DOCUMENT = join(ROOT, 'docs/mutation.md')
const BEGIN = '<!-- table: written by npm run mutation -->'
const END = '<!-- end of table -->'

/**
 * Writes the results of the last run of each group into the document, one row per file. Rows of files that were not run
 * stay.
 */
export function writeMutationTable() {
  const text = readFileSync(DOCUMENT, 'utf8')
  const before = text.slice(0, text.indexOf(BEGIN) + BEGIN.length)
  const after = text.slice(text.indexOf(END))
  const told = text.slice(before.length, text.indexOf(END)).split('\n').map(readRow)
  const rows = Object.keys(MUTATION_GROUPS).flatMap(
    (name) => rowsOfGroup(name) ?? told.filter(({ group }) => group === name),
  )
  writeFileSync(DOCUMENT, `${before}\n${tableOf(rows)}\n${after}`)
}

function readRow(line) {
  const [, group, file, mutants, killed, survived, , date] = line.split('|').map((cell) => cell.trim())
  return { group, file, mutants: Number(mutants), killed: Number(killed), survived: Number(survived), date }
}

function rowsOfGroup(group) {
  const report = join(ROOT, `node_modules/.cache/mutation/${group}.json`)
  if (!existsSync(report)) return null
  const date = statSync(report).mtime.toISOString().slice(0, 10)
  const { files } = JSON.parse(readFileSync(report, 'utf8'))
  return Object.entries(files).map(([file, { mutants }]) => rowOf({ group, file, date, mutants }))
}

/** A mutant that times out counts as detected. One that does not compile is not counted. */
function rowOf({ group, file, date, mutants }) {
  const count = (...statuses) => mutants.filter(({ status }) => statuses.includes(status)).length
  const killed = count('Killed', 'Timeout')
  const survived = count('Survived', 'NoCoverage')
  return { group, file, date, killed, survived, mutants: killed + survived }
}

function tableOf(rows) {
  const sum = (key) => rows.reduce((total, row) => total + row[key], 0)
  const all = {
    group: '',
    file: '**all**',
    date: '',
    mutants: sum('mutants'),
    killed: sum('killed'),
    survived: sum('survived'),
  }
  return [
    '| group | file | mutants | killed | survived | score | date |',
    '|---|---|---|---|---|---|---|',
    ...[...rows, all].map(
      ({ group, file, mutants, killed, survived, date }) =>
        `| ${group} | ${file} | ${mutants} | ${killed} | ${survived} | ${((100 * killed) / mutants).toFixed(1)} % | ${date} |`,
    ),
  ].join('\n')
}
