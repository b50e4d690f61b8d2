import { notFound } from 'next/navigation'
import { titled } from '#components/i18n/server.ts'
import { requireMe } from '#components/shell/require-me.ts'
import { Hydrate } from '#components/trpc/server.tsx'
import { toDeliveryPath } from '#components/webhooks/deliveries-search.ts'
import { DeliveryPage } from '#components/webhooks/delivery-page.tsx'
import { findDelivery } from '#components/webhooks/prefetch-webhooks.ts'

export const generateMetadata = titled((t) => t('webhooks.delivery'))

export default async function OneDeliveryPage({ params }: PageProps<'/settings/webhooks/deliveries/[deliveryId]'>) {
  const { deliveryId } = await params
  const me = await requireMe(toDeliveryPath(deliveryId))
  if (!me.settings.includes('webhooks') || !(await findDelivery(deliveryId))) notFound()

  return (
    <Hydrate>
      <DeliveryPage deliveryId={deliveryId} />
    </Hydrate>
  )
}
