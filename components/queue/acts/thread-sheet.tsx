'use client'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { useErrorMessage } from '#components/kit/acts/use-error-message.ts'
import { OutcomeWord } from '#components/kit/review/outcome.tsx'
import { AskForWholeQuotes, Quote } from '#components/kit/review/quote.tsx'
import { By, Trail, TrailStep } from '#components/kit/review/trail.tsx'
import { useTimes } from '#components/kit/times/use-times.ts'
import { useTRPC } from '#components/trpc/trpc-context.ts'
import { Sheet } from '#components/ui/sheet.tsx'
import type { Quoted, Thread } from '#server/modules/review/items/schema.ts'
import type { ActDialogProps } from './desk-acts.ts'

/** The item in its thread: the post, all its parents, its siblings and its replies. */
export function ThreadSheet({ item, onClose }: ActDialogProps) {
  const t = useTranslations('thread')
  const errorMessageOf = useErrorMessage()
  const { subjectType, subjectId } = item
  const [areQuotesWhole, setQuotesWhole] = useState(false)
  const input = { subjectType, subjectId, ...(areQuotesWhole && { areQuotesWhole }) }
  const thread = useQuery(
    useTRPC().review.thread.queryOptions(input, { staleTime: 0, placeholderData: keepPreviousData }),
  )

  return (
    <Sheet title={t('title')} isOpen onOpenChange={(isOpen) => isOpen || onClose()}>
      <div className="min-h-40 px-3.5 pt-2 pb-3.5">
        {thread.isPending && <p className="text-ink-3">{t('reading')}</p>}
        {thread.isError && <p>{errorMessageOf(thread.error)}</p>}
        {thread.data && (
          <AskForWholeQuotes value={() => setQuotesWhole(true)}>
            <ThreadTrail thread={thread.data} />
          </AskForWholeQuotes>
        )}
      </div>
    </Sheet>
  )
}

function ThreadTrail({ thread: { post, parents, item, before, after, replies, hasMore } }: { thread: Thread }) {
  const t = useTranslations('thread')
  return (
    <Trail>
      {post && <Step quoted={post} title={post.title} />}
      {parents.map((parent) => (
        <Step key={parent.id} quoted={parent} />
      ))}
      {hasMore.before && <More>{t('moreBefore')}</More>}
      {before.map((beside) => (
        <Step key={beside.id} quoted={beside} />
      ))}
      {item && <Step quoted={item} isItem />}
      {replies.map((reply) => (
        <Step key={reply.id} quoted={reply} depth={item ? 1 : 0} />
      ))}
      {hasMore.replies && <More>{t('moreReplies')}</More>}
      {after.map((beside) => (
        <Step key={beside.id} quoted={beside} />
      ))}
      {hasMore.after && <More>{t('moreAfter')}</More>}
    </Trail>
  )
}

interface StepProps {
  quoted: Quoted
  title?: string | undefined
  isItem?: boolean
  /** Replies to the item are indented. */
  depth?: 0 | 1
}

function Step({ quoted, title, isItem = false, depth = 0 }: StepProps) {
  const t = useTranslations('thread')
  const times = useTimes()
  const { approvalStatus } = quoted
  return (
    <TrailStep {...(isItem && { node: 'now', nodeColour: 'bg-accent' })}>
      <div className={`${isItem ? '-mx-2 -my-1 rounded-2 bg-selected px-2 py-1' : ''} ${depth ? 'ps-5' : ''}`}>
        <By>
          <b>
            <bdi>{quoted.authorName}</bdi>
          </b>
          <time dateTime={quoted.writtenAt}>{times.exact(quoted.writtenAt)}</time>
          {isItem && <span className="font-firm text-accent">{t('thisOne')}</span>}
          {approvalStatus === 'pending' && !isItem && <span>{t('waits')}</span>}
          {(approvalStatus === 'approved' || approvalStatus === 'rejected') && <OutcomeWord outcome={approvalStatus} />}
        </By>
        {title && (
          <p dir="auto" className="mt-[3px] font-bold wrap-anywhere text-ink">
            {title}
          </p>
        )}
        <Quote quoted={quoted} />
      </div>
    </TrailStep>
  )
}

function More({ children }: { children: string }) {
  return (
    <TrailStep isTight>
      <span className="text-ink-3">{children}</span>
    </TrailStep>
  )
}
