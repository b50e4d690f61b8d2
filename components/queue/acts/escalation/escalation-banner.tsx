'use client'
import { useTranslations } from 'use-intl'
import { ActKeycap } from '#components/keys/shortcut-keys.tsx'
import { useErrorMessage } from '#components/kit/acts/use-error-message.ts'
import { useAnnounce } from '#components/ui/announcer.tsx'
import { Banner } from '#components/ui/banner.tsx'
import { Button } from '#components/ui/button.tsx'
import type { QueueItem } from '#server/modules/review/queue/schema.ts'
import { useDeskActs } from '../desk-acts.ts'
import { EscalationWords } from './escalation-words.tsx'
import { useDeescalate } from './use-deescalate.ts'

/** Shows that the item is escalated, with the available acts. */
export function EscalationBanner({ item }: { item: QueueItem }) {
  const t = useTranslations('escalation')
  const announce = useAnnounce()
  const errorMessageOf = useErrorMessage()
  const { open } = useDeskActs()
  const { putBack, isPending } = useDeescalate(item)
  if (!item.escalation) return null
  return (
    <Banner
      kind="info"
      acts={
        <span className="flex">
          <Button look="bare" size="small" onPress={() => open('handOver', item)}>
            {t('handOver')}
            <ActKeycap act="escalate" className="phone:hidden" />
          </Button>
          <Button
            look="bare"
            size="small"
            isPending={isPending}
            onPress={() => void putBack().catch((error) => announce(errorMessageOf(error) ?? ''))}
          >
            {t(item.kind === 'reported' ? 'endReport' : 'putBack')}
          </Button>
        </span>
      }
    >
      <EscalationWords escalation={item.escalation} />
    </Banner>
  )
}
