'use client'
import { CircleAlert, Clock, X } from 'lucide-react'
import { useTranslations } from 'use-intl'
import { Badge } from '#components/ui/badge.tsx'
import type { Delivery } from '#server/modules/integrations/webhooks/schema.ts'

/** What became of a delivery: that it arrived, and that it is on its way, is plain text. */
export function DeliveryState({ delivery: { state, tries } }: { delivery: Pick<Delivery, 'state' | 'tries'> }) {
  const t = useTranslations('webhooks.states')
  if (state === 'failed') {
    return (
      <Badge look="reject">
        <X />
        {t('failed')}
      </Badge>
    )
  }
  if (state === 'skipped') return <Badge>{t('skipped')}</Badge>
  if (state === 'waiting' && tries > 0) {
    return (
      <Badge look="warn">
        <Clock />
        {t('again')}
      </Badge>
    )
  }
  return <span>{t(state)}</span>
}

/** How an endpoint does, where that is not as it should be. */
export function EndpointStateTag({ state }: { state: 'active' | 'failing' | 'down' | 'off' }) {
  const t = useTranslations('webhooks.states')
  if (state === 'active') return null
  if (state === 'off') return <Badge>{t('off')}</Badge>
  return (
    <Badge look={state === 'down' ? 'reject' : 'warn'}>
      <CircleAlert />
      {t(state)}
    </Badge>
  )
}
