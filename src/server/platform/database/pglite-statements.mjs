// How the worker asks the embedded database. Its own `query` goes through the database six times for each statement and
// has it read and planned each time; a statement that comes again is kept prepared here, and goes through once.
// Plain JavaScript, as the worker.
import { parse, protocol } from '@electric-sql/pglite'

const { serialize } = protocol

/** Each keeps its plan in the database's memory. */
const MOST_KEPT = 400
/**
 * After so many uses it is planned anew: tables grow, and nothing else tells the embedded database that a plan for a small one has become
 * a bad one.
 */
const MOST_USES = 200
/** Texts that came once are remembered up to here. */
const MOST_SEEN = 1_000
/** After these a table may have other columns than a kept statement was planned for. There is no other session. */
const CHANGES_TABLES = new Set(['CREATE', 'ALTER', 'DROP', 'ROLLBACK'])

/** Answers a statement as PGlite's `query` does. One at a time: the caller waits for the answer. */
export function createAsk(database) {
  /** By text, what was not used longest first. */
  const kept = new Map()
  const seen = new Set()
  let names = 0

  return async function ask(text, parameters) {
    const statement = (await fresh(text)) ?? (await prepare(text))
    if (statement.name !== '') {
      kept.delete(text)
      kept.set(text, statement)
    }
    const values = parameters.map((value, index) => serialized(value, statement.types[index]))
    const messages = await send([serialize.bind({ statement: statement.name, values }), serialize.execute({})])
    const [result] = parse.parseResults([...statement.columns, ...messages], database.parsers)
    if (CHANGES_TABLES.has(result.command)) await forgetAll()
    return result
  }

  async function fresh(text) {
    const statement = kept.get(text)
    if (statement === undefined || ++statement.uses < MOST_USES) return statement
    kept.delete(text)
    seen.add(text)
    await send([serialize.close({ type: 'S', name: statement.name })])
    return undefined
  }

  /** With a name from the second time on: most of what comes once never comes again. */
  async function prepare(text) {
    const name = seen.delete(text) ? `s${++names}` : ''
    if (seen.size >= MOST_SEEN) seen.clear()
    if (name === '') seen.add(text)
    const messages = await send([
      ...(name !== '' && kept.size >= MOST_KEPT ? [closeOldest()] : []),
      serialize.parse({ name, text }),
      serialize.describe({ type: 'S', name }),
    ])
    return {
      name,
      uses: 0,
      types: parse.parseDescribeStatementResults(messages),
      columns: messages.filter((message) => message.name === 'rowDescription'),
    }
  }

  function closeOldest() {
    const [[text, { name }]] = kept
    kept.delete(text)
    return serialize.close({ type: 'S', name })
  }

  function serialized(value, type) {
    if (value === null || value === undefined) return null
    const serializer = database.serializers[type]
    return serializer ? serializer(value) : value.toString()
  }

  /** Throws the database's error, if there is one; it is ready for the next either way. */
  function send(messages) {
    return database.execProtocolStream(Buffer.concat([...messages, serialize.sync()]))
  }

  async function forgetAll() {
    kept.clear()
    seen.clear()
    await send([serialize.parse({ text: 'deallocate all' }), serialize.bind(), serialize.execute({})])
  }
}
