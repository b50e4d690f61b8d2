'use client'
import { ArrowLeft, ChevronDown, ChevronUp, PanelRight } from 'lucide-react'
import { useFormatter, useTranslations } from 'use-intl'
import { useSpan } from '#components/i18n/use-span.ts'
import { useShortcut } from '#components/keys/use-own-keys.ts'
import { AGE_TEXT, ageLevel } from '#components/kit/review/age.ts'
import { useTargetMs } from '#components/kit/targets/targets-context.tsx'
import { useTimes } from '#components/kit/times/use-times.ts'
import { Button } from '#components/ui/button.tsx'
import type { ReviewItem } from '#server/modules/review/items/schema.ts'
import type { QueueItem } from '#server/modules/review/queue/schema.ts'
import { ClaimSign } from '../claims/claim-sign.tsx'
import { isRestoredMessage, spaceOf } from '../state/item-id.ts'
import { useQueueFilter } from '../state/use-queue-filter.ts'
import { CONTEXT_PANE, type Selection } from '../state/use-selection.ts'
import type { ContextDrawer } from './use-context-drawer.ts'

interface ItemHeadProps {
  item: QueueItem
  post: ReviewItem['post'] | undefined
  selection: Selection
  /** Counted from one; undefined for an item that isn't in the list. */
  position: number | undefined
  matching: number | undefined
  /** Then it wasn't held. */
  isRejectedByRules: boolean | undefined
  onMove: (by: 1 | -1) => void
  context: ContextDrawer
}

/** How long the item has been held, its space, who claimed it, and its position in the list. */
export function ItemHead(props: ItemHeadProps) {
  const { item, post, selection, position, matching, isRejectedByRules = false, onMove, context } = props
  const t = useTranslations('queue')
  const reported = useTranslations('reported')
  const format = useFormatter()
  const span = useSpan()
  const times = useTimes()
  const heldForMs = times.now - Date.parse(item.heldAt)
  const targetMs = useTargetMs(item.community?.communityId)
  const contextKey = useShortcut('context')

  return (
    <div className="flex min-h-[max(38px,calc(var(--control)+6px))] shrink-0 items-center gap-2 border-b border-line px-3 phone:sticky phone:top-0 phone:z-2 phone:bg-surface phone-tiny:static">
      <span className="hidden phone:block">
        <Button look="icon" aria-label={t('backToList')} onPress={selection.close}>
          <ArrowLeft className="rtl:-scale-x-100" />
        </Button>
      </span>
      {!isRejectedByRules && !isRestoredMessage(item) && (
        <span className={`whitespace-nowrap ${AGE_TEXT[ageLevel(heldForMs, targetMs)]}`}>
          {item.reasons ? reported('for', { age: span(heldForMs) }) : t('heldFor', { age: span(heldForMs) })}
        </span>
      )}
      <span className={`flex min-w-0 items-baseline whitespace-pre text-ink-3 ${item.claim ? 'phone:hidden' : ''}`}>
        <bdi className={`truncate ${post ? 'max-w-1/2 shrink-0 phone:hidden' : ''}`}>{spaceOf(item)?.displayName}</bdi>
        {post && <span className="phone:hidden">{t('spaceThen')}</span>}
        {post && <PostLink postId={post.id} name={post.title ?? t('aPost')} />}
      </span>
      {item.claim && <ClaimSign claim={item.claim} />}
      <span className="ms-auto whitespace-nowrap text-ink-3 phone:hidden">
        {position !== undefined &&
          matching !== undefined &&
          t('position', { position: format.number(position), total: format.number(Math.max(matching, position)) })}
      </span>
      <span className="flex phone:ms-auto print:hidden">
        <Button look="icon" aria-label={t('previous')} isDisabled={!selection.neighbour(-1)} onPress={() => onMove(-1)}>
          <ChevronUp />
        </Button>
        <Button look="icon" aria-label={t('next')} isDisabled={!selection.neighbour(1)} onPress={() => onMove(1)}>
          <ChevronDown />
        </Button>
        <span className="hidden tablet-low:block">
          <Button
            look="icon"
            aria-label={t('context')}
            aria-expanded={context.isOpen}
            aria-controls={CONTEXT_PANE}
            aria-keyshortcuts={contextKey}
            onPress={context.toggle}
          >
            <PanelRight className="rtl:-scale-x-100" />
          </Button>
        </span>
      </span>
    </div>
  )
}

/** Links to all held items on that post. */
function PostLink({ postId, name }: { postId: string; name: string }) {
  const t = useTranslations('queue')
  const { search, narrow } = useQueueFilter()
  if (search.postId === postId) return t.rich('onThisPost', { post: () => <bdi className="truncate">{name}</bdi> })
  return t.rich('onPost', {
    post: () => (
      <button
        type="button"
        // A title in another direction is cut at its own end.
        dir="auto"
        aria-label={t('onlyPost', { name })}
        className="min-h-6 truncate print:inline! text-accent underline underline-offset-2"
        onClick={() => narrow({ postId })}
      >
        {name}
      </button>
    ),
  })
}
