import type { Outgoing } from '#server/platform/outgoing/outgoing.ts'
import { sendPushes } from '#server/users/push/send-pushes.ts'
import type { TestApp } from '#test/support/test-app.ts'

/** Sends the messages to devices that are due, as the job of a running server does each second. */
export function sendDuePushes(
  { ctx, settings }: Pick<TestApp, 'ctx' | 'settings'>,
  outgoing: Pick<Outgoing, 'send'>,
): Promise<void> {
  return sendPushes({ ctx, settings, outgoing, publicUrl: 'https://example.com' })
}
