'use client'
import { Pin } from 'lucide-react'
import { useFormatter, useTranslations } from 'use-intl'
import { useTimes } from '#components/kit/times/use-times.ts'
import { CoveredText } from '#components/kit/wellness/covered-text.tsx'
import { CopyId } from '#components/ui/copy-id.tsx'
import { PlainText } from '#components/ui/plain-text.tsx'
import type { DeskChannel } from '#server/modules/desk/spaces/schema.ts'
import { FactList } from './fact-list.tsx'

/** The facts of a channel, and its pinned messages. */
export function ChannelFacts({ desk }: { desk: DeskChannel }) {
  const t = useTranslations('channels')
  const format = useFormatter()
  const times = useTimes()
  const { channel } = desk
  const { lastMessageAt, muteTimeout, rateLimit, rateLimitWindow, autoDeleteMessageByFlagLimit } = channel
  return (
    <div className="grid gap-5 px-[18px] py-4 phone:px-3">
      <PinnedMessage desk={desk} />
      <FactList
        facts={[
          { name: t('kind'), value: t(`kinds.${channel.type}`) },
          { name: t('openTo'), value: t(channel.isPublic ? 'everyone' : 'membersOnly') },
          { name: t('tags'), value: channel.tags.length > 0 ? format.list(channel.tags) : undefined },
          { name: t('made'), value: times.exact(channel.createdAt) },
          { name: t('lastActivity'), value: times.exact(channel.lastActivity) },
          { name: t('lastMessage'), value: lastMessageAt && times.exact(lastMessageAt) },
          {
            name: t('quiet'),
            value: channel.isMuted && muteTimeout ? t('quietUntil', { time: times.exact(muteTimeout) }) : undefined,
          },
          {
            name: t('slow'),
            value:
              channel.isRateLimited && rateLimit !== undefined && rateLimitWindow !== undefined
                ? t('slowTo', { count: rateLimit, seconds: rateLimitWindow / 1_000 })
                : undefined,
          },
          {
            name: t('autoDelete'),
            value:
              channel.messageAutoDeleteEnabled && autoDeleteMessageByFlagLimit !== undefined
                ? t('autoDeleteAt', { count: autoDeleteMessageByFlagLimit })
                : undefined,
          },
          { name: 'channelId', value: <CopyId id={channel.channelId} /> },
          { name: 'internalId', value: <CopyId id={channel.channelInternalId} /> },
        ]}
      />
    </div>
  )
}

function PinnedMessage({ desk: { channel, pinned } }: { desk: DeskChannel }) {
  const t = useTranslations('channels')
  const times = useTimes()
  const { pinnedMessage: message } = channel
  if (!message || !pinned) return null
  const text = typeof message.data?.text === 'string' ? message.data.text : ''
  return (
    <section aria-label={t('pinned')} className="max-w-180 rounded-2 border border-line-strong px-3 py-2.5">
      <p className="flex flex-wrap items-baseline gap-x-2 text-small text-ink-3">
        <span className="flex items-center gap-1.5 font-bold text-ink">
          <Pin />
          {t('pinned')}
        </span>
        <span className="wrap-anywhere">
          {t(pinned.pinnedByName === undefined ? 'pinnedAt' : 'pinnedBy', {
            author: pinned.authorName,
            by: pinned.pinnedByName ?? '',
            time: times.exact(message.pinnedAt ?? message.createdAt),
          })}
        </span>
      </p>
      <blockquote dir="auto" className="mt-1 font-member text-large wrap-anywhere whitespace-pre-wrap text-ink-2">
        <CoveredText isFlagged={false}>
          <PlainText>{message.isDeleted ? t('pinnedDeleted') : text}</PlainText>
        </CoveredText>
      </blockquote>
    </section>
  )
}
