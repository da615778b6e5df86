import { ACCOUNTS } from '#testing/specification/accounts.ts'
import { CALLS } from '#testing/specification/calls.ts'
import { ERROR_TEXTS, ERRORS } from '#testing/specification/errors.ts'
import { FAIRNESS } from '#testing/specification/fairness.ts'
import { INCIDENTS } from '#testing/specification/incidents.ts'
import { LIABILITIES } from '#testing/specification/liabilities.ts'
import { NAVIGATION } from '#testing/specification/navigation.ts'
import { PROMISES } from '#testing/specification/promises.ts'
import { ROUTES } from '#testing/specification/routes.ts'
import type { Chapter } from '#testing/specification/row.ts'
import { SCREENS } from '#testing/specification/screens.ts'
import { SOCKETS } from '#testing/specification/sockets.ts'
import { TEXTS } from '#testing/specification/texts.ts'
import { VALIDATION } from '#testing/specification/validation.ts'

/** All that the product has to do, with the tests that prove it. `npm test` compares it with what ran. */
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
]
