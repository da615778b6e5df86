import type { Db } from '#server/platform/database/tables.ts'

/** Returns the database with which `act` runs once: after the first reading of the table, before the next statement. */
export function afterRead(db: Db, table: string, act: () => Promise<unknown>): Db {
  let isDone = false
  const pausing = <T extends object>(builder: T): T =>
    new Proxy(builder, {
      get(target, name) {
        const value: unknown = Reflect.get(target, name)
        if (typeof value !== 'function') return value
        return (...given: unknown[]) => {
          const next: unknown = Reflect.apply(value, target, given)
          if (!String(name).startsWith('execute')) return pausing(next as object)
          return Promise.resolve(next).then(async (rows) => {
            if (!isDone) {
              isDone = true
              await act()
            }
            return rows
          })
        }
      },
    })
  return new Proxy(db, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name)
      if (typeof value !== 'function') return value
      return (...given: unknown[]) => {
        const next: unknown = Reflect.apply(value, target, given)
        return name === 'selectFrom' && given[0] === table ? pausing(next as object) : next
      }
    },
  })
}
