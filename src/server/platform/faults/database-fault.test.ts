import { expect, it } from 'vitest'
import { databaseFaultOf } from '#server/platform/faults/database-fault.ts'

const well = { hasFailed: false, failedBecause: null, reportedTrouble: null, isSilent: false } as const

it.each([
  [{}, null],
  [{ reportedTrouble: 'full' }, 'database_full'],
  [{ hasFailed: true, failedBecause: 'read_only', reportedTrouble: 'full', isSilent: true }, 'database_read_only'],
  [{ hasFailed: true, reportedTrouble: 'broken' }, 'database_broken'],
  [{ hasFailed: true }, 'database_silent'],
  [{ isSilent: true }, 'database_silent'],
  [{ hasFailed: true, reportedTrouble: 'refused' }, 'database_silent'],
  [{ hasFailed: true, failedBecause: 'refused' }, 'database_refuses'],
  [{ isSilent: true, reportedTrouble: 'refused' }, 'database_refuses'],
  [{ hasFailed: true, failedBecause: 'refused', reportedTrouble: 'full' }, 'database_refuses'],
  [{ reportedTrouble: 'refused' }, 'database_crowded'],
] as const)('the facts %j show the fault %s', (facts, fault) => {
  expect(databaseFaultOf({ ...well, ...facts })).toBe(fault)
})
