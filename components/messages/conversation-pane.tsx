'use client'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { ArrowLeft, Ban, Flag, MicOff, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { ActKeycap } from '#components/keys/shortcut-keys.tsx'
import { useShortcut } from '#components/keys/use-own-keys.ts'
import { MESSAGES_AROUND } from '#components/kit/addresses/messages-search.ts'
import { PersonLink } from '#components/kit/people/person-link.tsx'
import { By, Trail, TrailStep } from '#components/kit/review/trail.tsx'
import { QueryState } from '#components/kit/states/query-state.tsx'
import { useTimes } from '#components/kit/times/use-times.ts'
import { CoveredText } from '#components/kit/wellness/covered-text.tsx'
import { useTRPC } from '#components/trpc/trpc-context.ts'
import { Badge } from '#components/ui/badge.tsx'
import { Button } from '#components/ui/button.tsx'
import { CopyId } from '#components/ui/copy-id.tsx'
import { PlainText } from '#components/ui/plain-text.tsx'
import type { DeskMessage, MessageAround } from '#server/modules/desk/messages/schema.ts'
import type { MessageActs } from './use-message-acts.tsx'

const MOST = 50

interface ConversationPaneProps {
  messageId: string
  /** The search words. */
  words: string
  acts: MessageActs
  onShow: (messageId: string) => void
  onBack: () => void
}

/** A message in its conversation, with the neighbours before and after it. */
export function ConversationPane({ messageId, words, acts, onShow, onBack }: ConversationPaneProps) {
  const t = useTranslations('messages')
  const [span, setSpan] = useState(MESSAGES_AROUND)
  const around = useQuery(
    useTRPC().messages.around.queryOptions({ messageId, span }, { placeholderData: keepPreviousData }),
  )
  const more = span < MOST ? () => setSpan(MOST) : undefined
  const { data } = around
  return (
    <>
      <div className="hidden shrink-0 border-b border-line px-1 py-1 phone:block">
        <Button look="bare" onPress={onBack}>
          <ArrowLeft className="rtl:-scale-x-100" />
          {t('toHits')}
        </Button>
      </div>
      <QueryState query={around} />
      {data && (
        <div className="px-[18px] py-4 phone:px-3">
          {data.hasMoreBefore && more && (
            <Button size="small" look="bare" className="-ms-2.5 mb-2" onPress={more}>
              {t('moreBefore')}
            </Button>
          )}
          <Trail>
            {data.before.map((message) => (
              <Neighbour key={message.messageId} message={message} onShow={onShow} />
            ))}
            <TheMessage around={data} words={words} acts={acts} />
            {data.after.map((message) => (
              <Neighbour key={message.messageId} message={message} onShow={onShow} />
            ))}
          </Trail>
          {data.hasMoreAfter && more && (
            <Button size="small" look="bare" className="-ms-2.5 mt-2" onPress={more}>
              {t('moreAfter')}
            </Button>
          )}
        </div>
      )}
    </>
  )
}

function Neighbour({ message, onShow }: { message: DeskMessage; onShow: (messageId: string) => void }) {
  const t = useTranslations('messages')
  const times = useTimes()
  const { messageId, author, at, isDeleted } = message
  return (
    <TrailStep>
      <By>
        <PersonLink person={author} />
        <button
          type="button"
          aria-label={t('show', { time: times.exact(at) })}
          onClick={() => onShow(messageId)}
          className="min-h-6 underline decoration-line-control underline-offset-2 hover:text-ink"
        >
          <time>{times.exact(at)}</time>
        </button>
      </By>
      <p dir="auto" className="font-member wrap-anywhere whitespace-pre-wrap text-ink-2">
        {isDeleted ? (
          <span className="font-desk text-ink-3">{t('deleted')}</span>
        ) : (
          <Words message={message} words="" />
        )}
      </p>
    </TrailStep>
  )
}

function Words({ message, words, isMain = false }: { message: DeskMessage; words: string; isMain?: boolean }) {
  const t = useTranslations('messages')
  const { text, kind, flagCount } = message
  if (text === '') return <span className="font-desk text-ink-3">{t('kindOf', { kind })}</span>
  return (
    <CoveredText isFlagged={flagCount > 0} isMain={isMain}>
      <PlainText words={words || null}>{text}</PlainText>
    </CoveredText>
  )
}

/** The messages before it may be longer than the pane. */
const bringIntoView = (element: HTMLElement | null) => element?.scrollIntoView({ block: 'center' })

interface TheMessageProps {
  around: MessageAround
  words: string
  acts: MessageActs
}

/** The selected message: who flagged it, and the available acts. */
function TheMessage({ around: { message, flags }, words, acts }: TheMessageProps) {
  const t = useTranslations('messages')
  const times = useTimes()
  const [banKey, muteKey] = [useShortcut('ban'), useShortcut('mute')]
  const { author, channel, at, isDeleted, isEdited, may, flagCount, tags, messageId } = message
  const shown = flags.filter(({ isCleared }) => !isCleared)
  return (
    <TrailStep node="now" nodeColour="bg-accent">
      <h2 ref={bringIntoView} className="sr-only">
        {t('by', { who: author.displayName })}
      </h2>
      <By>
        <PersonLink person={author} />
        <span>{t('in', { channel: channel.displayName })}</span>
        <time>{times.exact(at)}</time>
        {isEdited && <span>{t('edited')}</span>}
        {author.isBannedHere && (
          <Badge look="reject">
            <Ban />
            {t('bannedHere')}
          </Badge>
        )}
      </By>
      <div dir="auto" className="mt-1 font-member text-item wrap-anywhere whitespace-pre-wrap text-ink">
        {isDeleted ? (
          <span className="font-desk text-ink-3">{t('deleted')}</span>
        ) : (
          <Words message={message} words={words} isMain />
        )}
      </div>
      {tags.length > 0 && (
        <p className="mt-1.5 flex flex-wrap gap-1">
          {tags.map((tag) => (
            <Badge key={tag}>{tag}</Badge>
          ))}
        </p>
      )}
      {shown.length > 0 && (
        <ul aria-label={t('flagsTitle')} className="mt-2 grid gap-1 text-small">
          {shown.map((flag) => (
            <li key={flag.by.userId} className="wrap-anywhere">
              <Flag className="me-1.5 inline size-3.5" />
              <span className="font-firm text-ink">{flag.reason}</span>{' '}
              {t.rich('flaggedBy', { who: () => <PersonLink person={flag.by} />, time: times.brief(flag.at) })}
              {flag.detail && <span dir="auto">: {flag.detail}</span>}
            </li>
          ))}
        </ul>
      )}
      <div className="mt-2.5 flex flex-wrap items-center gap-1.5">
        {may.delete && (
          <Button look="reject" onPress={() => acts.remove(message)}>
            <Trash2 />
            {t('delete')}
          </Button>
        )}
        {may.clearFlags && (
          <Button onPress={() => acts.clearFlags(message)}>
            <Flag />
            {t('clearFlags', { count: flagCount })}
          </Button>
        )}
        {may.ban && (
          <Button aria-keyshortcuts={banKey} onPress={() => acts.sanction('ban', message)}>
            <Ban />
            {t('ban')}
            <ActKeycap act="ban" className="phone:hidden" />
          </Button>
        )}
        {may.mute && (
          <Button aria-keyshortcuts={muteKey} onPress={() => acts.sanction('mute', message)}>
            <MicOff />
            {t('mute')}
            <ActKeycap act="mute" className="phone:hidden" />
          </Button>
        )}
        <CopyId id={messageId} />
      </div>
    </TrailStep>
  )
}
