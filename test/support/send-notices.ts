import { createOutboxMessenger, type Messenger } from '#server/platform/messenger/messenger.ts'
import { sendNotices } from '#server/users/notices/send-notices.ts'
import type { TestApp } from '#test/support/test-app.ts'

/**
 * Sends the notices that are due, as the job of a running server does each second. Mail ends in the outbox by default.
 */
export function sendDueNotices(
  { ctx, settings }: Pick<TestApp, 'ctx' | 'settings'>,
  messenger: Messenger = createOutboxMessenger(ctx),
): Promise<void> {
  return sendNotices({ ctx, settings, messenger, publicUrl: 'https://example.com' })
}
