'use client'
import { Ellipsis } from 'lucide-react'
import { memo, useState } from 'react'
import { useTranslations } from 'use-intl'
import { ActKeycap } from '#components/keys/shortcut-keys.tsx'
import { useShortcut } from '#components/keys/use-own-keys.ts'
import { Button } from '#components/ui/button.tsx'
import type { Outcome } from '#server/modules/review/decisions/schema.ts'
import type { QueueItem } from '#server/modules/review/queue/schema.ts'

const YES = {
  act: 'approve',
  look: 'border-approve-edge bg-approve-tint text-approve hover:border-approve',
  capLook: 'border-approve-edge text-approve',
} as const
const NO = {
  act: 'reject',
  look: 'border-reject-edge bg-reject-tint text-reject hover:border-reject',
  capLook: 'border-reject-edge text-reject',
} as const
const BUTTONS = [
  { outcome: 'approved', ...YES },
  { outcome: 'rejected', ...NO },
  { outcome: 'dismissed', ...YES },
  { outcome: 'deleted', ...NO },
] as const

interface DecideBarProps {
  item: QueueItem
  isOwnWork: boolean
  /** Whether it is no longer pending, though nobody decided on it. */
  isGone: boolean
  /** Whether the person has claimed it. */
  isMine: boolean
  onDecide: (outcome: Outcome) => void
  onAct: (act: BarAct) => void
}

const OTHER_ACTS = ['claim', 'escalate', 'ban', 'mute', 'treatment', 'warn', 'note', 'skip'] as const
/** Beside the author, where the author is visible. */
const AUTHOR_ACTS: BarAct[] = ['treatment', 'warn', 'note']

/** An act of the bar with its own key. */
export type BarAct = (typeof OTHER_ACTS)[number] | 'keys'

/**
 * The outcomes the server allows for this item, each with its key, equal in size and weight. The bar stays mounted when the item changes.
 */
export function DecideBar({ item, isOwnWork, isGone, isMine, onDecide, onAct }: DecideBarProps) {
  const t = useTranslations('queue')
  const { allowed } = item
  if (allowed.length === 0) {
    return (
      <p className="shrink-0 border-t border-line-strong bg-surface px-4 py-3.5">{t(noOutcome(isOwnWork, isGone))}</p>
    )
  }
  return (
    <div className="@container shrink-0 border-t border-line-strong bg-surface">
      <div className="px-4 py-2.5 @max-[600px]:px-2.5 phone:p-2 tablet-low:py-1.5 phone-low:py-1">
        {/* Clipped outside of the focus rings, where the line before the other acts is when these begin a row. */}
        <div
          role="toolbar"
          aria-label={t('decide')}
          className="flex flex-wrap items-center gap-1.5 @min-[600px]:gap-x-2.5 [clip-path:inset(-8px_-5px)]"
        >
          {/* While several items are selected, their own bar decides. */}
          <span className="group-data-choosing/desk:invisible grid shrink-0 auto-cols-fr grid-flow-col gap-1.5 @min-[600px]:max-w-66 @min-[600px]:flex-auto @max-[540px]:max-w-66 @max-[540px]:flex-auto phone:max-w-none">
            {BUTTONS.filter(({ outcome }) => allowed.includes(outcome)).map((button) => (
              <DecideButton key={button.outcome} button={button} onDecide={onDecide} />
            ))}
          </span>
          <OtherActs isMine={isMine} onAct={onAct} />
        </div>
      </div>
    </div>
  )
}

function noOutcome(isOwnWork: boolean, isGone: boolean) {
  if (isGone) return 'gone'
  return isOwnWork ? 'ownWork' : 'notAllowed'
}

interface OtherActsProps {
  isMine: boolean
  onAct: (act: BarAct) => void
}

/** The other acts and the key sheet. Without enough width, they move behind one button on a separate line. */
const OtherActs = memo(function OtherActs({ isMine, onAct }: OtherActsProps) {
  const t = useTranslations('queue')
  const [isShown, setShown] = useState(false)
  return (
    <>
      <span className="hidden @max-[540px]:block">
        <Button
          look="icon"
          aria-label={t('others.more')}
          aria-expanded={isShown}
          className="phone:h-11"
          onPress={() => setShown((before) => !before)}
        >
          <Ellipsis />
        </Button>
      </span>
      <span
        className={`relative flex flex-auto before:absolute before:inset-y-0 before:-start-1.5 before:my-auto before:h-5 before:w-px before:bg-line-strong @max-[540px]:before:hidden @max-[540px]:order-last @max-[540px]:w-full @max-[540px]:flex-wrap ${isShown ? '' : '@max-[540px]:hidden'}`}
      >
        {OTHER_ACTS.map((act) => (
          <span
            key={act}
            className={`@max-[540px]:flex-1 ${AUTHOR_ACTS.includes(act) ? 'hidden @max-[540px]:block' : ''}`}
          >
            <OtherAct act={act} label={act === 'claim' && isMine ? 'release' : act} onPress={() => onAct(act)} />
          </span>
        ))}
        <span className="ms-auto @max-[540px]:hidden">
          <KeysButton onAct={onAct} />
        </span>
      </span>
      <span className="ms-auto hidden @max-[540px]:block phone:hidden">
        <KeysButton onAct={onAct} />
      </span>
    </>
  )
})

function KeysButton({ onAct }: Pick<OtherActsProps, 'onAct'>) {
  const t = useTranslations('queue')
  return (
    <Button look="bare" aria-label={t('keys')} className="px-1.5!" onPress={() => onAct('keys')}>
      <ActKeycap act="keys" />
    </Button>
  )
}

interface OtherActProps {
  act: (typeof OTHER_ACTS)[number]
  label: OtherActProps['act'] | 'release'
  onPress: () => void
}

function OtherAct({ act, label, onPress }: OtherActProps) {
  const t = useTranslations('queue.others')
  return (
    <Button look="bare" aria-keyshortcuts={useShortcut(act)} className="w-full px-1.5!" onPress={onPress}>
      <ActKeycap act={act} className="phone:hidden" />
      {act === 'claim' ? (
        // As wide as the longer of its words, so that the bar stays as it is from item to item.
        <span className="grid text-start *:col-start-1 *:row-start-1">
          <span className={label === 'claim' ? undefined : 'invisible'}>{t('claim')}</span>
          <span className={label === 'release' ? undefined : 'invisible'}>{t('release')}</span>
        </span>
      ) : (
        t(label)
      )}
    </Button>
  )
}

interface DecideButtonProps {
  button: (typeof BUTTONS)[number]
  onDecide: (outcome: Outcome) => void
}

const DecideButton = memo(function DecideButton({
  button: { outcome, act, look, capLook },
  onDecide,
}: DecideButtonProps) {
  const t = useTranslations('queue')
  return (
    <button
      type="button"
      aria-keyshortcuts={useShortcut(act)}
      // The second press of a double click would decide the next item, unread.
      onClick={({ detail }) => detail < 2 && onDecide(outcome)}
      className={`inline-flex min-h-[34px] min-w-20 items-center justify-center gap-1.5 rounded-2 border px-2.5 font-bold whitespace-nowrap coarse:min-h-11 phone:min-h-11 forced-colors:border-[ButtonText] ${look}`}
    >
      <ActKeycap act={act} className={`phone:hidden ${capLook}`} />
      {t(`decideAs.${outcome}`)}
    </button>
  )
})
