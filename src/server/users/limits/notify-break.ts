import type { Ctx } from '#server/platform/context/context.ts'

/** Tells the user's open pages and sockets, and all servers, that the user's break has changed. */
export function notifyBreak(ctx: Ctx, userId: string): void {
  ctx.publish({ kind: 'trade-status-changed', userId })
  ctx.publish({ kind: 'limits-changed', userId })
}
