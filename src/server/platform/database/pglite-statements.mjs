// Runs statements on the embedded database from the worker. PGlite's own `query` makes six round trips per statement,
// and the statement is parsed and planned each time. Repeated statements are kept prepared here and need one round
// trip. The file is plain JavaScript, like the worker.
import { parse, protocol } from '@electric-sql/pglite'

const { serialize } = protocol

/** Each prepared statement keeps its plan in the database's memory. */
const MAX_PREPARED = 400
/**
 * After 200 uses a statement is planned again. Tables grow, and nothing else invalidates a plan that was made for a
 * small table.
 */
const MAX_USES = 200
/** How many statement texts are remembered after one use. */
const MAX_SEEN_TEXTS = 1_000
/** After these commands a table's columns may differ from a prepared plan. No other session can change a table. */
const CHANGES_TABLES = new Set(['CREATE', 'ALTER', 'DROP', 'ROLLBACK'])

/** Runs a statement like PGlite's `query`. Only one statement may run at a time: the caller awaits the result. */
export function createAsk(database) {
  /** The prepared statements by their text, least recently used first. */
  const statements = new Map()
  const seen = new Set()
  let names = 0

  return async function ask(text, parameters) {
    const statement = (await fresh(text)) ?? (await prepare(text))
    if (statement.name !== '') {
      statements.delete(text)
      statements.set(text, statement)
    }
    const values = parameters.map((value, index) => serialized(value, statement.types[index]))
    const messages = await send([serialize.bind({ statement: statement.name, values }), serialize.execute({})])
    const [result] = parse.parseResults([...statement.columns, ...messages], database.parsers)
    if (CHANGES_TABLES.has(result.command)) await forgetAll()
    return result
  }

  async function fresh(text) {
    const statement = statements.get(text)
    if (statement === undefined || ++statement.uses < MAX_USES) return statement
    statements.delete(text)
    seen.add(text)
    await send([serialize.close({ type: 'S', name: statement.name })])
    return undefined
  }

  /** Prepares a statement under a name from its second use on, because most texts occur only once. */
  async function prepare(text) {
    const name = seen.delete(text) ? `s${++names}` : ''
    if (seen.size >= MAX_SEEN_TEXTS) seen.clear()
    if (name === '') seen.add(text)
    const messages = await send([
      ...(name !== '' && statements.size >= MAX_PREPARED ? [closeOldest()] : []),
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
    const [[text, { name }]] = statements
    statements.delete(text)
    return serialize.close({ type: 'S', name })
  }

  function serialized(value, type) {
    if (value === null || value === undefined) return null
    const serializer = database.serializers[type]
    return serializer ? serializer(value) : value.toString()
  }

  /**
   * Throws the database's error, if there is one. Afterwards the session is ready for the next statement, even after an
   * error.
   */
  function send(messages) {
    return database.execProtocolStream(Buffer.concat([...messages, serialize.sync()]))
  }

  async function forgetAll() {
    statements.clear()
    seen.clear()
    await send([serialize.parse({ text: 'deallocate all' }), serialize.bind(), serialize.execute({})])
  }
}
