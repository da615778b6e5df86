import type { Ctx } from '#server/platform/context/context.ts'

/** Open pages and sockets of the user show the break. */
export function notifyBreak(ctx: Ctx, userId: string): void {
  ctx.publish({ kind: 'trade-status-changed', userId })
  ctx.publish({ kind: 'limits-changed', userId })
}
