/** Maximum number of lines in one payment file. Portals of banks accept a few hundred. */
export const MAX_FILE_LINES = 200

/** Open while one of its payments is under way, done when all have ended. */
export const PAYMENT_FILE_STATES = ['open', 'done', 'void'] as const
export type PaymentFileState = (typeof PAYMENT_FILE_STATES)[number]
