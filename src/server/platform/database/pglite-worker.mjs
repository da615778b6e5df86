// Runs the embedded database in this worker thread, so that SQL never blocks the event loop that serves users. The file
// is plain JavaScript, so that a worker thread of Node 20 starts it unchanged, both under tsx and under the test
// runner. `pglite-thread.ts` is the other end and defines the messages.
import { cpSync, existsSync, renameSync, rmSync } from 'node:fs'
import { parentPort, workerData } from 'node:worker_threads'
import { PGlite } from '@electric-sql/pglite'
import { createAsk } from './pglite-statements.mjs'

const INT8 = 20
const NUMERIC = 1700
/** The fields of a database error that callers use. */
const ERROR_FIELDS = [
  'code',
  'severity',
  'detail',
  'hint',
  'constraint',
  'schema',
  'table',
  'column',
  'position',
  'where',
]

const database = await open()
const ask = createAsk(database)
let turn = Promise.resolve()

// Handles messages one after another, in order of arrival.
parentPort.on('message', (message) => {
  turn = turn.then(() => respond(message))
})
parentPort.postMessage({ id: 0 })

async function respond(message) {
  try {
    parentPort.postMessage({ id: message.id, ...(await answer(message)) })
  } catch (error) {
    parentPort.postMessage({ id: message.id, error: describe(error) })
  }
}

async function answer(message) {
  switch (message.call) {
    case 'query': {
      const { rows, command, affectedRows } = await ask(message.sql, message.parameters)
      return { reply: { rows, command, affectedRows } }
    }
    case 'dump': {
      const dump = await database.dumpDataDir('none')
      return { dump: new Uint8Array(await dump.arrayBuffer()) }
    }
    case 'copy': {
      await checkpoint()
      // Nothing else runs in this thread during the copy, so the files are consistent.
      cpSync(workerData.folder, message.to, { recursive: true, errorOnExist: true, force: false })
      return {}
    }
    case 'close':
      await database.close()
      return {}
    default:
      throw new Error(`unknown call ${message.call}`)
  }
}

/** Only the owner may run a checkpoint. Afterwards the previous role is restored. */
async function checkpoint() {
  const { rows } = await database.query('select quote_ident(current_user) as name')
  await database.query('reset role')
  try {
    await database.query('checkpoint')
  } finally {
    await database.query(`set role ${rows[0].name}`)
  }
}

async function open() {
  const { folder, dump } = workerData
  const options = { parsers: { [INT8]: BigInt, [NUMERIC]: (text) => text } }
  const start = { ...options, ...(dump && { loadDataDir: new Blob([dump]) }) }
  if (folder === null) return PGlite.create(start)
  if (!existsSync(folder)) await create(folder, start)
  return PGlite.create(folder, options)
}

/**
 * Creates a database in a temporary folder next to its final folder and then renames it, so that a kill half-way leaves
 * nothing that looks complete.
 */
async function create(folder, options) {
  const unfinished = `${folder}.unfinished`
  rmSync(unfinished, { recursive: true, force: true })
  const fresh = await PGlite.create(unfinished, options)
  await fresh.close()
  renameSync(unfinished, folder)
}

function describe(error) {
  const described = { message: error instanceof Error ? error.message : String(error) }
  for (const field of ERROR_FIELDS) {
    if (typeof error?.[field] === 'string') described[field] = error[field]
  }
  return described
}
