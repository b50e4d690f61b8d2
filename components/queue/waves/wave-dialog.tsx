'use client'
import { useEffect, useRef, useState } from 'react'
import { useTranslations } from 'use-intl'
import { useCombo } from '#components/keys/use-own-keys.ts'
import { ActForm } from '#components/kit/acts/act-form.tsx'
import { useErrorMessage } from '#components/kit/acts/use-error-message.ts'
import { CoveredLine } from '#components/kit/wellness/covered-text.tsx'
import type { PreviewedItem } from '#server/modules/review/bulk/schema.ts'
import type { HeldOutcome, QueueItem } from '#server/modules/review/queue/schema.ts'
import { ExceptionList, Scroller } from '../bulk/bulk-lists.tsx'
import { DecideButton } from '../bulk/decide-button.tsx'
import { usePreview } from '../bulk/use-preview.ts'
import { itemIdOf } from '../item-id.ts'

interface WaveDialogProps {
  item: QueueItem
  onDecide: (outcome: HeldOutcome, items: PreviewedItem[]) => void
  onMakeRule: (sharedWords: string[]) => void
  onClose: () => void
}

/** Near-duplicates of an item: first what is decided by itself, and why, then what is decided together, the least similar first. */
export function WaveDialog({ item, onDecide, onMakeRule, onClose }: WaveDialogProps) {
  const t = useTranslations('wave')
  const many = useTranslations('many')
  const alike = useTranslations('alike')
  const errorMessageOf = useErrorMessage()
  const { read: preview, doable, exceptions, cut } = usePreview({ wave: item })
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set())
  const chosen = doable.filter((member) => !left.has(itemIdOf(member)))
  const count = chosen.length
  const sentence = useRef<HTMLParagraphElement>(null)
  useEffect(() => sentence.current?.focus(), [])
  const keys = { [useCombo('approve') ?? '']: 'approved', [useCombo('reject') ?? '']: 'rejected' } as const

  function decide(outcome: HeldOutcome | undefined): void {
    if (outcome && count > 0) onDecide(outcome, chosen)
  }

  function toggle(itemId: string): void {
    const next = new Set(left)
    if (!next.delete(itemId)) next.add(itemId)
    setLeft(next)
  }

  return (
    <ActForm
      title={t('title', { count: doable.length + exceptions.length })}
      submit={preview.isError ? many('tryAgain') : t('rule')}
      isPending={preview.isFetching}
      failure={errorMessageOf(preview.error)}
      onKey={(key) => decide(keys[key])}
      onSubmit={() => (preview.isError ? void preview.refetch() : onMakeRule(preview.data?.sharedWords ?? []))}
      onClose={onClose}
      acts={
        count > 0 && (
          <span className="ms-auto flex gap-1.5">
            <DecideButton outcome="approved" act="approve" count={count} onDecide={decide} />
            <DecideButton outcome="rejected" act="reject" count={count} onDecide={decide} />
          </span>
        )
      }
    >
      <div className="grid gap-1">
        <p ref={sentence} tabIndex={-1} role="status" className="text-ink outline-none">
          {preview.isSuccess ? t('found', { count: doable.length, apart: exceptions.length }) : alike('looking')}
        </p>
        {cut > 0 && <p className="text-small">{t('rest', { count: cut })}</p>}
      </div>
      {exceptions.length > 0 && <ExceptionList label={alike('apart')} items={exceptions} />}
      {doable.length > 0 && (
        <Scroller label={t('chosen', { count, total: doable.length })}>
          <ul>
            {doable.map((member) => (
              <Member
                key={itemIdOf(member)}
                member={member}
                isChosen={!left.has(itemIdOf(member))}
                onToggle={() => toggle(itemIdOf(member))}
              />
            ))}
          </ul>
        </Scroller>
      )}
    </ActForm>
  )
}

interface MemberProps {
  member: PreviewedItem
  isChosen: boolean
  onToggle: () => void
}

function Member({ member, isChosen, onToggle }: MemberProps) {
  const t = useTranslations('many')
  return (
    <li className="border-b border-line text-small [contain-intrinsic-size:auto_27px] [content-visibility:auto] last:border-b-0">
      <label className="flex min-h-6 items-center gap-2 px-2 py-1 coarse:min-h-10">
        <input type="checkbox" checked={isChosen} onChange={onToggle} className="size-3.5 shrink-0 accent-accent" />
        <span className="min-w-0 flex-1 truncate">
          <bdi className="font-firm text-ink">{member.authorName}</bdi>{' '}
          <span dir="auto">
            {member.excerpt ? <CoveredLine isFlagged={member.isFlagged}>{member.excerpt}</CoveredLine> : t('noWords')}
          </span>
        </span>
        <bdi className="max-w-28 truncate text-ink-3 phone:hidden">{member.communityName}</bdi>
      </label>
    </li>
  )
}
