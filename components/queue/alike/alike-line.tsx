'use client'
import type { ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import { ActKeycap } from '#components/keys/shortcut-keys.tsx'
import { useShortcut } from '#components/keys/use-own-keys.ts'
import { Button } from '#components/ui/button.tsx'
import type { QueueItem } from '#server/modules/review/queue/schema.ts'

/** Above an item that stands for a group: a decision applies to all of them. */
export function AlikeLine({ item, onOpen }: { item: QueueItem | undefined; onOpen: () => void }) {
  const t = useTranslations('alike')
  const shortcut = useShortcut('group')
  if (!item?.alike) return null
  return (
    <div className="flex shrink-0 items-center gap-2 border-b border-line ps-5 pe-3 py-1 text-small text-ink-2 phone:ps-3">
      <p className="min-w-0 flex-1">
        {t.rich('line', {
          b: (text: ReactNode) => <b className="font-bold text-ink">{text}</b>,
          count: item.alike.count,
        })}
      </p>
      <Button look="bare" size="small" aria-keyshortcuts={shortcut} onPress={onOpen}>
        {t('open')}
        <ActKeycap act="group" className="phone:hidden" />
      </Button>
    </div>
  )
}
