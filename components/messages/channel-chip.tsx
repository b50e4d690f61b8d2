'use client'
import { useTranslations } from 'use-intl'
import { Chip, ChipButton } from '#components/ui/chip.tsx'
import { lazyPart } from '#components/ui/lazy-part.tsx'
import { LazyPopover } from '#components/ui/lazy-popover.tsx'
import type { Messages } from './use-messages.ts'

const FindChannel = lazyPart(() => import('./find-channel.tsx').then(({ FindChannel }) => FindChannel), {
  onFailed: ({ trigger }) => trigger.onClose(),
})

/** The channel to search in. */
export function ChannelChip({ found: { search, channel, narrow } }: { found: Messages }) {
  const t = useTranslations('messages')
  const { channelId } = search
  return (
    <Chip onRemove={channelId === null ? undefined : () => narrow({ channelId: null })} removeLabel={t('anyChannel')}>
      <LazyPopover
        opens="dialog"
        button={<ChipButton>{channelId === null ? t('anyChannel') : (channel?.displayName ?? channelId)}</ChipButton>}
      >
        {(trigger) => (
          <FindChannel
            trigger={trigger}
            chosen={channelId ?? undefined}
            onChoose={(chosen) => narrow({ channelId: chosen })}
          />
        )}
      </LazyPopover>
    </Chip>
  )
}
