'use client'
import { useTranslations } from 'use-intl'
import { ActKeycap } from '#components/keys/combo-caps.tsx'
import { shortcutOf } from '#components/keys/printed-keys.ts'
import { useCombo } from '#components/keys/use-own-keys.ts'
import { Button } from '#components/ui/button.tsx'
import type { Outcome, QueueItem } from '#server/modules/review/schema.ts'

const BUTTONS = [
  {
    outcome: 'approved',
    act: 'approve',
    look: 'border-approve-edge bg-approve-tint text-approve hover:border-approve',
    capLook: 'border-approve-edge text-approve',
  },
  {
    outcome: 'rejected',
    act: 'reject',
    look: 'border-reject-edge bg-reject-tint text-reject hover:border-reject',
    capLook: 'border-reject-edge text-reject',
  },
] as const

interface DecideBarProps {
  item: QueueItem
  isOwnWork: boolean
  onDecide: (outcome: Outcome) => void
  onKeys: () => void
}

/** What the server allows for this comment, each with its key; the two are equal in size and weight. */
export function DecideBar({ item: { allowed }, isOwnWork, onDecide, onKeys }: DecideBarProps) {
  const t = useTranslations('queue')
  if (allowed.length === 0) {
    return (
      <p className="shrink-0 border-t border-line-strong bg-surface px-4 py-3.5">
        {t(isOwnWork ? 'ownWork' : 'notAllowed')}
      </p>
    )
  }
  return (
    <div
      role="toolbar"
      aria-label={t('decide')}
      className="flex shrink-0 items-center gap-1.5 border-t border-line-strong bg-surface px-4 py-2.5 phone:grid phone:grid-flow-col phone:auto-cols-fr phone:p-2"
    >
      {BUTTONS.filter(({ outcome }) => allowed.includes(outcome)).map((button) => (
        <DecideButton key={button.outcome} button={button} onDecide={onDecide} />
      ))}
      <span className="ms-auto phone:hidden">
        <Button look="bare" onPress={onKeys}>
          <ActKeycap act="keys" />
          {t('keys')}
        </Button>
      </span>
    </div>
  )
}

function DecideButton({
  button: { outcome, act, look, capLook },
  onDecide,
}: {
  button: (typeof BUTTONS)[number]
  onDecide: (outcome: Outcome) => void
}) {
  const t = useTranslations('queue')
  const combo = useCombo(act)
  return (
    <button
      type="button"
      aria-keyshortcuts={combo && shortcutOf(combo)}
      // The second press of a double click would decide the next comment, unread.
      onClick={({ detail }) => detail < 2 && onDecide(outcome)}
      className={`inline-flex h-[34px] min-w-27 items-center justify-center gap-1.5 rounded-2 border px-2.5 font-bold whitespace-nowrap coarse:h-11 phone:h-11 phone:min-w-0 forced-colors:border-[ButtonText] ${look}`}
    >
      <ActKeycap act={act} className={`phone:hidden ${capLook}`} />
      {t(act)}
    </button>
  )
}
