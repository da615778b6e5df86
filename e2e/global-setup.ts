import { BUILT_SERVER, demoKeyOf, startServerProcess } from '#test/support/server-process.ts'
import { shareServer } from './fixtures.ts'
import { changeDatabase, copyData, createData, type ServerData, serverVariables } from './server-data.ts'

/**
 * Starts the server that all tests share. Creating the database takes most of the first start. Servers of single tests
 * therefore begin with a copy of this database.
 */
export default async function globalSetup(): Promise<() => Promise<void>> {
  const started = await createData()
  const first = await startServerProcess(serverVariables(started), BUILT_SERVER)
  await first.stop()
  const data = await copyData(started)
  await endWithdrawalPause(data)
  const server = await startServerProcess(serverVariables(data), BUILT_SERVER)
  const { folder } = data
  const demoKey = demoKeyOf(server.address)
  shareServer({ address: server.address, demoKey, folder, started })
  return async () => {
    await server.stop()
    await data.remove()
    await started.remove()
  }
}

/**
 * Sets the pause before withdrawals to 0 hours in the database. A journey cannot wait for the pause of a day, nor for
 * the notice period that a shorter pause needs. Other tests cover both.
 */
async function endWithdrawalPause(data: ServerData): Promise<void> {
  const row = { key: 'withdrawal_pause_hours', value: JSON.stringify(0), updated_ms: 0 }
  await changeDatabase(data, (db) =>
    db
      .insertInto('setting')
      .values(row)
      .onConflict((conflict) => conflict.column('key').doUpdateSet(row))
      .execute(),
  )
}
