'use client'
import { useTranslations } from 'use-intl'
import type { SavedView } from '#server/modules/review/views/schema.ts'
import { useQueueFilter } from '../state/use-queue-filter.ts'
import { useViews } from './use-views.ts'

/** The open view, and the words before its name: whether it is a default, and whose. */
export function useOpenView(): { view: SavedView; lead: string } | undefined {
  const t = useTranslations('views')
  const { savedView } = useQueueFilter().search
  const view = useViews().find(({ viewId }) => viewId === savedView)
  return view && { view, lead: t(leadOf(view)) }
}

function leadOf({ isDefault, isShared, queue }: SavedView) {
  if (queue) return queue.isMember ? 'yourQueue' : 'queue'
  if (!isDefault) return 'view'
  return isShared ? 'everyonesDefault' : 'yourDefault'
}
