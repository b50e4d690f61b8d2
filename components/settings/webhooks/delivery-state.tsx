'use client'
import { CircleAlert, Clock, X } from 'lucide-react'
import { useTranslations } from 'use-intl'
import { Badge } from '#components/ui/badge.tsx'
import type { Delivery } from '#server/modules/integrations/webhooks/schema.ts'

/** The state of a delivery: delivered and pending are plain text, anything else is a badge. */
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

/** A badge for an endpoint that has a problem. */
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
