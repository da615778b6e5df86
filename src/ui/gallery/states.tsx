import { Alert } from '#ui/alert.tsx'
import { Card } from '#ui/card.tsx'
import { OfflineStrip } from '#ui/offline-strip.tsx'
import { Empty, LoadError, SkeletonRows } from '#ui/states.tsx'
import { Block } from '#ui/gallery/block.tsx'

/** Alerts, and what a list shows while it has no rows. */
export function States() {
  return (
    <>
      <Block title="Alerts">
        <Alert tone="danger" title="Price is too old.">
          The last BTC price is 7 s old, so no order was opened. Nothing was taken from your balance.
        </Alert>
        <Alert tone="success">Updated Successfully</Alert>
        <Alert tone="info">The code went to the local outbox.</Alert>
        <OfflineStrip offline>Reconnecting. Orders keep running on the server.</OfflineStrip>
      </Block>
      <Block title="Loading, empty, error">
        <Card>
          <SkeletonRows count={3} />
        </Card>
        <Card padded={false}>
          <Empty title="No Data">No closed orders yet.</Empty>
        </Card>
        <Card padded={false}>
          <LoadError reason="unable to load data, try again later" retryLabel="Try again" onRetry={() => undefined} />
        </Card>
      </Block>
    </>
  )
}
