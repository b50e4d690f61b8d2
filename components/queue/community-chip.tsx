'use client'
import { useQuery } from '@tanstack/react-query'
import { useFormatter, useTranslations } from 'use-intl'
import { useTRPC } from '#components/trpc/trpc-context.ts'
import { Chip, ChipButton } from '#components/ui/chip.tsx'
import { ChoiceMenu } from '#components/ui/choice-menu.tsx'
import type { QueuePage } from '#server/modules/review/schema.ts'
import { useQueueFilter } from './use-queue-filter.ts'

/** No community has an empty id. */
const ALL = ''

/** Which of the caller's communities, with how many are held in each. */
export function CommunityChip({ narrowedTo }: { narrowedTo: QueuePage['narrowedTo'] | undefined }) {
  const t = useTranslations('queue.sentence')
  const format = useFormatter()
  const { search, narrow } = useQueueFilter()
  const { data: counts } = useQuery(useTRPC().review.counts.queryOptions())
  const choices = (counts?.communities ?? []).map(({ communityId, displayName, held }) => ({
    id: communityId,
    label: displayName,
    hint: format.number(held),
  }))
  const chosen = search.communityId ?? ALL
  const label = narrowedTo?.community?.displayName ?? choices.find(({ id }) => id === chosen)?.label ?? chosen

  return (
    <Chip
      onRemove={search.communityId ? () => narrow({ communityId: null }) : undefined}
      removeLabel={t('dropCommunity')}
    >
      <ChoiceMenu
        label={t('community')}
        choices={[{ id: ALL, label: t('allMine'), hint: counts && format.number(counts.total) }, ...choices]}
        chosen={chosen}
        onChoose={(id) => narrow({ communityId: id || null })}
      >
        <ChipButton>
          <bdi>{search.communityId ? label : t('allMine')}</bdi>
        </ChipButton>
      </ChoiceMenu>
    </Chip>
  )
}
