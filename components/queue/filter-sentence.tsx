'use client'
import { Plus } from 'lucide-react'
import type { ReactNode } from 'react'
import { DialogTrigger } from 'react-aria-components/Dialog'
import { useFormatter, useTranslations } from 'use-intl'
import { ZonePopover } from '#components/shell/zone-popover.tsx'
import { AddChip, Chip, ChipButton } from '#components/ui/chip.tsx'
import { CommunityChip } from './community-chip.tsx'
import type { FilterProps } from './filter-bar.tsx'
import { useDayRange } from './use-day-range.ts'
import { useQueueFilter } from './use-queue-filter.ts'
import { toInstants } from './written-between.ts'
import { WrittenPopover } from './written-popover.tsx'

const words = { b: (text: ReactNode) => <strong className="font-bold text-ink">{text}</strong> }

/** "80 of 5,601 held in … written between … in …": each part is a chip, the words between them are text. */
export function FilterSentence({ totals, narrowedTo }: FilterProps) {
  const t = useTranslations('queue.sentence')
  const { search, narrow } = useQueueFilter()
  const isNarrowed = totals !== undefined && totals.matching !== totals.held
  const key = totals?.isLowerBound ? 'atLeast' : 'some'

  return (
    <div className="flex flex-wrap items-center gap-1.5">
      <span>
        {totals && t.rich(isNarrowed ? key : 'all', { ...words, matching: totals.matching, held: totals.held })}
        {!totals && t('unknown')}
      </span>
      <CommunityChip narrowedTo={narrowedTo} />
      {search.postId && (
        <>
          <span>{t('on')}</span>
          <Chip onRemove={() => narrow({ postId: null })} removeLabel={t('dropPost')}>
            <bdi className="max-w-64 truncate ps-2">{narrowedTo?.post?.title ?? search.postId}</bdi>
          </Chip>
        </>
      )}
      <WrittenPart />
    </div>
  )
}

function WrittenPart() {
  const t = useTranslations('queue.sentence')
  const { search, zone, ownZone, narrow } = useQueueFilter()
  const range = useDayRange(search)

  if (!range) {
    return (
      <DialogTrigger>
        <AddChip>
          <Plus className="size-3.5" />
          {t('addWritten')}
        </AddChip>
        <WrittenPopover />
      </DialogTrigger>
    )
  }
  return (
    <>
      <span>{t(range.words)}</span>
      <Chip onRemove={() => narrow({ startDate: null, endDate: null, timeZone: null })} removeLabel={t('dropDays')}>
        <DialogTrigger>
          <ChipButton>{range.days}</ChipButton>
          <WrittenPopover />
        </DialogTrigger>
      </Chip>
      <span>{t('inZone')}</span>
      <Chip onRemove={zone === ownZone ? undefined : () => narrow({ timeZone: null })} removeLabel={t('ownZone')}>
        <DialogTrigger>
          <ChipButton>{zone}</ChipButton>
          <ZonePopover chosen={zone} onChoose={(timeZone) => narrow({ timeZone })} />
        </DialogTrigger>
      </Chip>
      <InUtc />
    </>
  )
}

/** What the days mean for those who look elsewhere. */
function InUtc() {
  const t = useTranslations('queue.sentence')
  const format = useFormatter()
  const { search, zone } = useQueueFilter()
  const { from, until } = toInstants(search, zone)
  const write = (at: Date) =>
    `${format.dateTime(at, { day: 'numeric', month: 'short', timeZone: 'UTC' })} ${format.dateTime(at, { timeStyle: 'short', timeZone: 'UTC' })}`

  return (
    <span className="ms-auto text-small text-ink-3">
      {from && until && t('means', { from: write(from), until: write(until) })}
      {from && !until && t('meansFrom', { from: write(from) })}
      {!from && until && t('meansUntil', { until: write(until) })}
    </span>
  )
}
