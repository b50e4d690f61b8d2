'use client'
import { Ellipsis } from 'lucide-react'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { Button } from '#components/ui/button.tsx'
import { Keycap } from '#components/ui/keycap.tsx'
import type { Outcome, QueueItem } from '#server/modules/review/schema.ts'
import { useDeskActs } from './acts/desk-acts.ts'

const BUTTONS = [
  {
    outcome: 'approved',
    act: 'approve',
    cap: 'A',
    look: 'border-approve-edge bg-approve-tint text-approve hover:border-approve',
    capLook: 'border-approve-edge text-approve',
  },
  {
    outcome: 'rejected',
    act: 'reject',
    cap: 'R',
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
export function DecideBar({ item, isOwnWork, onDecide, onKeys }: DecideBarProps) {
  const t = useTranslations('queue')
  const { allowed } = item
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
      className="flex shrink-0 items-center gap-1.5 border-t border-line-strong bg-surface px-4 py-2.5 phone:grid phone:grid-cols-[1fr_1fr_auto] phone:p-2"
    >
      {BUTTONS.filter(({ outcome }) => allowed.includes(outcome)).map(({ outcome, act, cap, look, capLook }) => (
        <button
          key={outcome}
          type="button"
          aria-keyshortcuts={cap}
          // The second press of a double click would decide the next comment, unread.
          onClick={({ detail }) => detail < 2 && onDecide(outcome)}
          className={`inline-flex h-[34px] min-w-27 items-center justify-center gap-1.5 rounded-2 border px-2.5 font-bold whitespace-nowrap coarse:h-11 phone:h-11 phone:min-w-0 forced-colors:border-[ButtonText] ${look}`}
        >
          <Keycap className={`phone:hidden ${capLook}`}>{cap}</Keycap>
          {t(act)}
        </button>
      ))}
      <span aria-hidden className="mx-1 h-5 w-px bg-line-strong phone:hidden" />
      <OtherActs item={item} />
      <span className="ms-auto phone:hidden">
        <Button look="bare" onPress={onKeys}>
          <Keycap>?</Keycap>
          {t('keys')}
        </Button>
      </span>
    </div>
  )
}

/** What else can be done with it; on a phone behind one button, in a line of their own. */
function OtherActs({ item }: { item: QueueItem }) {
  const t = useTranslations('queue.others')
  const { open, skip } = useDeskActs()
  const [isShown, setShown] = useState(false)
  const acts = [
    { act: 'escalate', cap: 'E', onPress: () => open(item.escalation ? 'handOver' : 'escalate', item) },
    { act: 'ban', cap: 'B', onPress: () => open('ban', item) },
    { act: 'note', cap: 'N', onPress: () => open('note', item) },
    { act: 'skip', cap: 'S', onPress: skip },
  ] as const

  return (
    <>
      <Button
        look="icon"
        aria-label={t('more')}
        aria-expanded={isShown}
        className="hidden h-11! phone:flex"
        onPress={() => setShown((before) => !before)}
      >
        <Ellipsis />
      </Button>
      <span className={`flex phone:col-span-full phone:row-start-2 ${isShown ? '' : 'phone:hidden'}`}>
        {acts.map(({ act, cap, onPress }) => (
          <Button
            key={act}
            look="bare"
            aria-keyshortcuts={cap}
            className={`px-[7px]! phone:flex-1 ${act === 'note' ? 'hidden phone:flex' : ''}`}
            onPress={onPress}
          >
            <Keycap className="phone:hidden">{cap}</Keycap>
            {t(act)}
          </Button>
        ))}
      </span>
    </>
  )
}
