import { ACCOUNTS } from '#test/specification/accounts.ts'
import { CALLS } from '#test/specification/calls.ts'
import { ERROR_TEXTS, ERRORS } from '#test/specification/errors.ts'
import { FAIRNESS } from '#test/specification/fairness.ts'
import { INCIDENTS } from '#test/specification/incidents.ts'
import { LIABILITIES } from '#test/specification/liabilities.ts'
import { LIMITS } from '#test/specification/limits.ts'
import { NOTICES } from '#test/specification/notices.ts'
import { NAVIGATION } from '#test/specification/navigation.ts'
import { OWN_MONEY } from '#test/specification/own-money.ts'
import { PROMISES } from '#test/specification/promises.ts'
import { ROUTES } from '#test/specification/routes.ts'
import type { Chapter } from '#test/specification/row.ts'
import { SCREENS } from '#test/specification/screens.ts'
import { SOCKETS } from '#test/specification/sockets.ts'
import { TEXTS } from '#test/specification/texts.ts'
import { VALIDATION } from '#test/specification/validation.ts'

/** All requirements of the product with their proving tests. `npm test` compares the table with the tests that ran. */
export const SPECIFICATION: readonly Chapter[] = [
  ROUTES,
  NAVIGATION,
  SCREENS,
  VALIDATION,
  TEXTS,
  CALLS,
  SOCKETS,
  ERRORS,
  ERROR_TEXTS,
  LIABILITIES,
  FAIRNESS,
  PROMISES,
  INCIDENTS,
  ACCOUNTS,
  LIMITS,
  NOTICES,
  OWN_MONEY,
]
