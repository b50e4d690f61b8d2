'use client'
import { useTranslations } from 'use-intl'
import { ActKeycap } from '#components/keys/combo-caps.tsx'
import { useAnnounce } from '#components/ui/announcer.tsx'
import { Button } from '#components/ui/button.tsx'
import { Strip } from '#components/ui/strip.tsx'
import type { QueueItem } from '#server/modules/review/schema.ts'
import { useDeskActs } from '../acts/desk-acts.ts'
import { useRefusal } from '../acts/use-refusal.ts'
import { EscalationWords } from './escalation-words.tsx'
import { usePutBack } from './use-put-back.ts'

/** That an item is escalated, with the ways on. */
export function EscalationStrip({ item }: { item: QueueItem }) {
  const t = useTranslations('escalation')
  const announce = useAnnounce()
  const refusalOf = useRefusal()
  const { open } = useDeskActs()
  const { putBack, isPending } = usePutBack(item)
  if (!item.escalation) return null
  return (
    <Strip
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
            onPress={() => void putBack().catch((error) => announce(refusalOf(error) ?? ''))}
          >
            {t('putBack')}
          </Button>
        </span>
      }
    >
      <EscalationWords escalation={item.escalation} />
    </Strip>
  )
}
