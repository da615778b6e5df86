import type { AuditRow } from '#contract/back-office/audit.ts'
import { staffCalls } from '#contract/back-office/staff-calls.ts'
import { ok, refuse } from '#core/result.ts'
import { instant, toIso } from '#core/time/instant.ts'
import { recordAction } from '#server/audit/record-action.ts'
import { readGatewayNames } from '#server/back-office/audit/gateway-names.queries.ts'
import { subjectName } from '#server/back-office/audit/subject-name.ts'
import { findAuditLine, listAudit } from '#server/back-office/audit/audit.queries.ts'
import { type ChainReport, readChainEnd, verifyChain, writeChainEnd } from '#server/audit/verify-audit-chain.ts'
import { readPeriod } from '#server/platform/database/period.ts'
import type { RegisterStaff } from '#server/back-office/api/register-staff-call.ts'
import type { RegisterStaffList } from '#server/back-office/api/register-staff-list.ts'
import type { Ctx } from '#server/platform/context/context.ts'

/** Registers the calls that list and verify the audit log. */
export function staffAuditRoutes(
  register: RegisterStaff,
  registerList: RegisterStaffList,
  { ctx }: { readonly ctx: Ctx },
): void {
  registerList(staffCalls.staffAudit, async ({ filters: { who, area, target, outcome, from, to }, after, limit }) => {
    const filters = {
      who: who ?? null,
      area: area ?? null,
      target: target ?? null,
      outcome: outcome ?? null,
      period: readPeriod({ from, to }),
    }
    const lines = await listAudit(ctx.db, filters, { after, limit })
    const names = await readGatewayNames(
      ctx.db,
      lines.map((line) => line.target),
    )
    return lines.map((line) => ({ row: toRow(line, names), cursor: [Number(line.at_ms), line.id] }))
  })

  register(staffCalls.staffAuditLine, async ({ params: { id } }) => {
    const line = await findAuditLine(ctx.db, id)
    if (!line) return refuse('not_found')
    return ok({
      ...toRow(line, await readGatewayNames(ctx.db, [line.target])),
      staff_id: line.staff_id,
      before: line.before,
      after: line.after,
      previous_hash: hex(line.previous_hash),
      hash: hex(line.hash),
    })
  })

  // When two staff members verify against the same noted chain end at the same time, one verification serves both.
  const running = new Map<string, Promise<ChainReport>>()
  register(staffCalls.staffVerifyAudit, async ({ body: { noted }, actor }) => {
    const check = running.get(noted) ?? verifyChain(ctx.db, noted === '' ? null : readChainEnd(noted))
    running.set(noted, check)
    const { lines, end, broken } = await check.finally(() => running.delete(noted))
    await recordAction(ctx.db, ctx, actor, { target: 'audit', outcome: 'looked', after: { lines, broken } })
    return ok({ lines, end: end === null ? '' : writeChainEnd(end), broken })
  })
}

function toRow(line: Awaited<ReturnType<typeof listAudit>>[number], names: ReadonlyMap<string, string>): AuditRow {
  return {
    id: line.id,
    seq: line.seq === null ? null : Number(line.seq),
    at: toIso(instant(line.at_ms)),
    who: line.who,
    what: line.what,
    target: line.target,
    outcome: line.outcome as AuditRow['outcome'],
    reason: line.reason,
    request_id: line.request_id,
    address: line.address,
    target_name: names.get(line.target) ?? subjectName(line.what, line.target),
  }
}

function hex(bytes: Uint8Array | null): string | null {
  return bytes === null ? null : Buffer.from(bytes).toString('hex')
}
