'use client'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { ItemLine, Scroller } from '#components/kit/bulks/item-lists.tsx'
import type { FoundRange } from '#components/ui/split-found.ts'
import type { PreviewedItem } from '#server/modules/review/bulk/schema.ts'
import type { HeldOutcome } from '#server/modules/review/decisions/schema.ts'
import type { QueueItem } from '#server/modules/review/queue/schema.ts'
import { itemIdOf } from '../../state/item-id.ts'
import { GroupForm } from '../bulk/group-form.tsx'
import { usePreview } from '../bulk/use-preview.ts'
import { useDifferences } from './use-differences.ts'
import { WaveTime } from './wave-time.tsx'

interface WaveDialogProps {
  item: QueueItem
  /** `except`: what was taken out. */
  onDecide: (outcome: HeldOutcome, items: PreviewedItem[], except: PreviewedItem[]) => void
  onMakeRule: () => void
  onClose: () => void
}

/** Near-duplicates of an item, the least similar first; each can be left out. */
export function WaveDialog({ item, onDecide, onMakeRule, onClose }: WaveDialogProps) {
  const t = useTranslations('wave')
  const preview = usePreview({ wave: item })
  const { read, doable, exceptions, cut } = preview
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set())
  const isLeft = (member: PreviewedItem) => left.has(itemIdOf(member))
  const chosen = doable.filter((member) => !isLeft(member))
  const count = chosen.length
  const found = useDifferences(item, read.data?.items)

  function toggle(itemId: string): void {
    const next = new Set(left)
    if (!next.delete(itemId)) next.add(itemId)
    setLeft(next)
  }

  return (
    <GroupForm
      preview={preview}
      title={t('title', { count: doable.length + exceptions.length })}
      summary={t('found', { count: doable.length, apart: exceptions.length })}
      cutSummary={t('rest', { count: cut })}
      count={count}
      onDecide={(outcome) => onDecide(outcome, chosen, doable.filter(isLeft))}
      other={t('rule')}
      onOther={onMakeRule}
      onClose={onClose}
    >
      {read.data?.overTime && <WaveTime overTime={read.data.overTime} />}
      {doable.length > 0 && (
        <Scroller isTall label={t('chosen', { count, total: doable.length })}>
          <p className="border-b border-line bg-sunken px-2 py-1 text-small">{t('marked')}</p>
          <ul>
            {doable.map((member) => (
              <Member
                key={itemIdOf(member)}
                member={member}
                isChosen={!isLeft(member)}
                differences={found.get(itemIdOf(member)) ?? []}
                onToggle={() => toggle(itemIdOf(member))}
              />
            ))}
          </ul>
        </Scroller>
      )}
    </GroupForm>
  )
}

interface MemberProps {
  member: PreviewedItem
  differences: FoundRange[]
  isChosen: boolean
  onToggle: () => void
}

function Member({ member, differences, isChosen, onToggle }: MemberProps) {
  return (
    <li className="border-b border-line text-small [contain-intrinsic-size:auto_27px] [content-visibility:auto] last:border-b-0">
      <label className="flex min-h-6 items-center gap-2 px-2 py-1 coarse:min-h-10">
        <input type="checkbox" checked={isChosen} onChange={onToggle} className="size-3.5 shrink-0 accent-accent" />
        <ItemLine name={member.authorName} item={member} differences={differences} />
        <bdi className="max-w-28 truncate text-ink-3 phone:hidden">{member.communityName}</bdi>
      </label>
    </li>
  )
}
