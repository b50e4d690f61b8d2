'use client'
import { MessageSquare, SearchX } from 'lucide-react'
import { useRef } from 'react'
import { useTranslations } from 'use-intl'
import { useActs } from '#components/keys/acts-context.tsx'
import { ActToast } from '#components/kit/acts/act-toast.tsx'
import { QueryState } from '#components/kit/states/query-state.tsx'
import { Button } from '#components/ui/button.tsx'
import { EmptyState } from '#components/ui/empty-state.tsx'
import { lazyPart } from '#components/ui/lazy-part.tsx'
import { Pager } from '#components/ui/pager.tsx'
import { ConversationPane } from './conversation-pane.tsx'
import { HitList, hitId } from './hit-list.tsx'
import { MessageFilters } from './message-filters.tsx'
import { useMessageActs } from './use-message-acts.tsx'
import { type Messages, useMessages } from './use-messages.ts'

const LockedConversation = lazyPart(
  () => import('./locked-conversation.tsx').then(({ LockedConversation }) => LockedConversation),
  { isPlain: true },
)

/** Searches messages by words and filters; a result is shown among its neighbours, with the available acts. */
export function MessagesPage() {
  const t = useTranslations('messages')
  const found = useMessages()
  const { search, current, messages, isClosed } = found
  const acts = useMessageActs(current)
  const field = useRef<HTMLInputElement>(null)

  function open(messageId: string | undefined): void {
    if (messageId === undefined) return
    found.show(messageId)
    document.getElementById(hitId(messageId))?.focus()
  }
  useActs(
    acts.isOpen
      ? {}
      : {
          ...acts.keys,
          search: () => field.current?.focus(),
          ...(messages &&
            messages.length > 0 && { next: () => open(found.neighbour(1)), previous: () => open(found.neighbour(-1)) }),
          ...(search.message !== null && { back: () => found.show(null) }),
        },
    current && t('by', { who: current.author.displayName }),
  )
  const isShown = search.message !== null

  return (
    <main
      data-open={isShown || undefined}
      className="group/desk relative grid min-h-0 min-w-0 grid-cols-[minmax(0,1fr)_minmax(0,1fr)] bg-surface phone:grid-cols-1"
    >
      <h1 className="sr-only">{t('title')}</h1>
      <section
        aria-label={t('hits')}
        className="relative flex min-h-0 flex-col overflow-auto border-e border-line-strong phone:border-e-0 phone:group-data-open/desk:hidden"
      >
        <MessageFilters ref={field} found={found} onEnter={() => open(messages?.[0]?.messageId)} />
        <Count found={found} />
        <Hits found={found} />
        {isClosed && search.channelId !== null && <LockedConversation channelId={search.channelId} />}
      </section>
      <section
        aria-label={t('conversation')}
        className="relative flex min-h-0 flex-col overflow-auto phone:hidden phone:group-data-open/desk:flex"
      >
        {search.message === null ? (
          <EmptyState icon={<MessageSquare />} title={t('noneOpen')}>
            {t('noneOpenText')}
          </EmptyState>
        ) : (
          <ConversationPane
            key={search.message}
            messageId={search.message}
            words={search.query}
            acts={acts}
            onShow={found.show}
            onBack={() => found.show(null)}
          />
        )}
        <div className="sticky bottom-0 z-3 mx-auto mt-auto w-full max-w-115 p-2 empty:hidden">
          <ActToast last={acts.last} onUndo={acts.undo} onDismiss={acts.dismiss} />
        </div>
      </section>
      {acts.dialog}
    </main>
  )
}

function Count({ found: { list, isAsked, isClosed, messages, pager } }: { found: Messages }) {
  const t = useTranslations('messages')
  const { found } = list.data ?? {}
  return (
    <div className="flex min-h-control shrink-0 items-center gap-2 border-b border-line px-[18px] py-0.5 phone:px-3">
      <p aria-live="polite" className="text-ink-3">
        {isAsked &&
          !isClosed &&
          messages &&
          !list.isPlaceholderData &&
          (found ? t(found.isLowerBound ? 'moreThan' : 'found', { count: found.count }) : t('latest'))}
      </p>
      <Pager {...pager} />
    </div>
  )
}

function Hits({ found }: { found: Messages }) {
  const t = useTranslations('messages')
  const { isAsked, isClosed, list, messages, search, show, clear } = found
  if (!isAsked) {
    return (
      <EmptyState icon={<MessageSquare />} title={t('ask')}>
        {t('askText')}
      </EmptyState>
    )
  }
  if (isClosed) return null
  return (
    <>
      <QueryState query={list} />
      {messages && messages.length > 0 && (
        <HitList messages={messages} words={search.query} currentId={search.message} onOpen={show} />
      )}
      {messages?.length === 0 && !list.isPlaceholderData && (
        <EmptyState icon={<SearchX />} title={t('nothing')} act={<Button onPress={clear}>{t('clear')}</Button>}>
          {t('nothingText')}
        </EmptyState>
      )}
    </>
  )
}
