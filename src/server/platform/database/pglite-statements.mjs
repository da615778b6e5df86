// Runs statements on the embedded database from the worker. PGlite's own `query` makes six round trips per statement, and the statement is
// parsed and planned each time. Repeated statements are kept prepared here and need one round trip. Plain JavaScript, as the worker.
import { parse, protocol } from '@electric-sql/pglite'

const { serialize } = protocol

/** Each prepared statement keeps its plan in the database's memory. */
const MOST_KEPT = 400
/** After 200 uses a statement is planned again. Tables grow, and nothing else invalidates a plan that was made for a small table. */
const MOST_USES = 200
/** How many statement texts are remembered after one use. */
const MOST_SEEN = 1_000
/** After these commands a table's columns may differ from a prepared plan. There is no other session. */
const CHANGES_TABLES = new Set(['CREATE', 'ALTER', 'DROP', 'ROLLBACK'])

/** Runs a statement like PGlite's `query`. One at a time: the caller awaits the result. */
export function createAsk(database) {
  /** By statement text, least recently used first. */
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

  /** Prepares under a name from the second use on, because most texts occur only once. */
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

  /** Throws the database's error, if there is one. Afterwards the session is ready in either case. */
  function send(messages) {
    return database.execProtocolStream(Buffer.concat([...messages, serialize.sync()]))
  }

  async function forgetAll() {
    kept.clear()
    seen.clear()
    await send([serialize.parse({ text: 'deallocate all' }), serialize.bind(), serialize.execute({})])
  }
}
