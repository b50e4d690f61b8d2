'use client'
import { CircleAlert, Clock, X } from 'lucide-react'
import { useTranslations } from 'use-intl'
import { State } from '#components/ui/state.tsx'
import type { Delivery } from '#server/modules/webhooks/schema.ts'

/** What became of a delivery: that it arrived, and that it is on its way, is plain text. */
export function DeliveryState({ delivery: { state, tries } }: { delivery: Pick<Delivery, 'state' | 'tries'> }) {
  const t = useTranslations('webhooks.states')
  if (state === 'failed') {
    return (
      <State look="reject">
        <X />
        {t('failed')}
      </State>
    )
  }
  if (state === 'skipped') return <State>{t('skipped')}</State>
  if (state === 'waiting' && tries > 0) {
    return (
      <State look="warn">
        <Clock />
        {t('again')}
      </State>
    )
  }
  return <span>{t(state)}</span>
}

/** How an endpoint does, where that is not as it should be. */
export function EndpointStateTag({ state }: { state: 'active' | 'failing' | 'down' | 'off' }) {
  const t = useTranslations('webhooks.states')
  if (state === 'active') return null
  if (state === 'off') return <State>{t('off')}</State>
  return (
    <State look={state === 'down' ? 'reject' : 'warn'}>
      <CircleAlert />
      {t(state)}
    </State>
  )
}
