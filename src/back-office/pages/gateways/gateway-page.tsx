import type { GatewayKind } from '#contract/back-office/gateways.ts'
import { staffCalls } from '#contract/back-office/staff-calls.ts'
import { Link } from '#ui/link.tsx'
import { SkeletonRows } from '#ui/states.tsx'
import { useStaffQuery } from '#back-office/api/queries.ts'
import { GatewayEditor } from '#back-office/pages/gateways/gateway-editor.tsx'
import { t } from '#back-office/i18n/t.ts'
import { LoadFailure } from '#back-office/list/load-failure.tsx'

/** The page of one gateway or method, or of a new one. */
export function GatewayPage({ id, kind }: { id: string | null; kind: GatewayKind }) {
  const query = useStaffQuery(staffCalls.staffGateway, { params: { id: id ?? '' } }, { enabled: id !== null })
  const gateway = query.data
  const shownKind = gateway?.kind ?? kind
  return (
    <main id="content" className="relative min-w-0 lg:h-dvh lg:overflow-y-auto px-4 pt-4 md:px-6">
      <Link href={`/admin/gateways?kind=${shownKind}`} className="text-brand underline-offset-2 hover:underline">
        {t('gateways.back')}
      </Link>
      <h1 className="pt-1 pb-4 text-title">
        {id === null ? t(`gateways.new_${kind}`) : (gateway?.name ?? t('nav.gateways'))}
      </h1>
      {id !== null && gateway === undefined ? (
        query.isPending ? (
          <section aria-busy="true" aria-label={t('common.loading')}>
            <SkeletonRows count={6} />
          </section>
        ) : (
          <LoadFailure query={query} />
        )
      ) : (
        // A new version gets a new form. Typed values are lost only when the staff member reloads.
        <GatewayEditor gateway={gateway ?? null} kind={shownKind} onReload={() => query.refetch()} />
      )}
    </main>
  )
}
