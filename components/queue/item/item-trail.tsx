'use client'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useTranslations } from 'use-intl'
import { ActKeycap } from '#components/keys/shortcut-keys.tsx'
import { useShortcut } from '#components/keys/use-own-keys.ts'
import { AGE_GROUND, ageLevel } from '#components/kit/review/age.ts'
import { OutcomeWord } from '#components/kit/review/outcome.tsx'
import { AskForWholeQuotes, Quote } from '#components/kit/review/quote.tsx'
import { By, Trail, TrailStep } from '#components/kit/review/trail.tsx'
import { useTargetMs } from '#components/kit/targets/targets-context.tsx'
import { useTimes } from '#components/kit/times/use-times.ts'
import { CoveredLine, CoveredText } from '#components/kit/wellness/covered-text.tsx'
import { useTRPC } from '#components/trpc/trpc-context.ts'
import { lazyPart } from '#components/ui/lazy-part.tsx'
import { PlainText } from '#components/ui/plain-text.tsx'
import type { FoundRange } from '#components/ui/split-found.ts'
import type { Quoted, ReviewItem } from '#server/modules/review/items/schema.ts'
import type { QueueItem } from '#server/modules/review/queue/schema.ts'
import { useDeskActs } from '../acts/desk-acts.ts'
import { hasThread, itemIdOf, spaceOf } from '../state/item-id.ts'
import { itemInput } from '../state/queue-queries.ts'
import { useQueueFilter } from '../state/use-queue-filter.ts'
import { ItemFacts } from './item-facts.tsx'
import { CoveredFiles, ItemTranslation } from './lazy-parts.ts'
import { useScrollToItem } from './use-scroll-to-item.ts'

const PLAIN = { isPlain: true }
const LockedConversation = lazyPart(
  () => import('./reported/reported-parts.ts').then(({ REPORTED_PARTS }) => REPORTED_PARTS.LockedMessage),
  PLAIN,
)
const RecentContent = lazyPart(
  () => import('./reported/reported-parts.ts').then(({ REPORTED_PARTS }) => REPORTED_PARTS.RecentContent),
  PLAIN,
)

interface ItemTrailProps {
  item: QueueItem
  /** With its whole text, and what surrounds it. */
  read: ReviewItem | undefined
  isUnread: boolean
}

/** The comment in its thread: the post, the parent comment, the comment itself and its replies. */
export function ItemTrail({ item, read, isUnread }: ItemTrailProps) {
  const t = useTranslations('queue')
  const reported = useTranslations('reported')
  const times = useTimes()
  const level = ageLevel(times.now - Date.parse(item.heldAt), useTargetMs(item.community?.communityId))

  const { data: me } = useQuery(useTRPC().access.me.queryOptions())
  const isLate = useIsLate(itemIdOf(item), read !== undefined)
  const { post, parent, around, recent, askForWhole } = useQuotes(item, read)

  return (
    <AskForWholeQuotes value={askForWhole}>
      <Trail>
        {isLate && item.subjectType === 'comment' && !post && (
          <ReservedStep said="posted">{isUnread && t('unread.conversation')}</ReservedStep>
        )}
        {post && (post.text || isLate) && <QuotedStep quoted={post} said="posted" title={post.title} isLate={isLate} />}
        {isLate && item.isReply && !parent && <ReservedStep said="answered" />}
        {parent && <QuotedStep quoted={parent} said="answered" isLate={isLate} />}
        {around?.before.map((quoted) => (
          <QuotedStep key={quoted.id} quoted={quoted} said="before" />
        ))}
        <TrailStep node="now" nodeColour={AGE_GROUND[level]}>
          <By>
            <b>
              <bdi>{item.author.displayName}</bdi>
            </b>
            <span>
              {item.reasons
                ? reported(`wrote.${item.subjectType}`, { space: spaceOf(item)?.displayName ?? '' })
                : t(item.isReply ? 'inReply' : 'commented')}
            </span>
            {read?.mayEdit && (
              <span className="ms-auto">
                <OpenButton item={read.item} act="edit">
                  {t('editText')}
                </OpenButton>
              </span>
            )}
          </By>
          <JudgedText item={item} read={read} isUnread={isUnread} />
          {me?.translates && (
            // Keeps its place, so that nothing moves when it is there.
            <div className="min-h-7.5">
              <ItemTranslation item={item} />
            </div>
          )}
          {read && read.files.length > 0 && <CoveredFiles files={read.files} />}
          <ItemFacts
            item={item}
            isHolding={read?.isHolding}
            mentioned={read?.mentioned}
            signals={read?.signals}
            holders={read?.item.reviewReasons}
            highlights={read?.item.highlights}
            isRejectedByRules={read?.decided?.isByRules}
            mute={read?.mute}
          />
        </TrailStep>
        {around?.after.map((quoted) => (
          <QuotedStep key={quoted.id} quoted={quoted} said="after" />
        ))}
        {recent && <RecentContent author={item.author} contents={recent} />}
        {read && hasThread(item) && <Replies item={item} replies={read.replies} />}
      </Trail>
    </AskForWholeQuotes>
  )
}

/** Opens something about the item, beside its text. */
function OpenButton({ item, act, children }: { item: QueueItem; act: 'edit' | 'thread'; children: string }) {
  const { open } = useDeskActs()
  return (
    <button
      type="button"
      aria-keyshortcuts={useShortcut(act)}
      // As tall as a target has to be, in a line that stays as it is.
      className="-my-0.5 inline-flex min-h-6 items-center gap-1.5 text-accent underline underline-offset-2 print:hidden"
      onClick={() => open(act, item)}
    >
      {children}
      <ActKeycap act={act} className="no-underline phone:hidden" />
    </button>
  )
}

/** What is around the item: the beginnings of its texts, or all of them once the person asked for one. */
function useQuotes(item: QueueItem, read: ReviewItem | undefined) {
  const trpc = useTRPC()
  const { view } = useQueueFilter().search
  const [askedId, setAskedId] = useState<string>()
  const id = itemIdOf(item)
  const input = { ...itemInput(item, view), areQuotesWhole: true }
  const whole = useQuery(trpc.review.item.queryOptions(input, { enabled: askedId === id }))
  const askForWhole = () => (askedId === id ? void whole.refetch() : setAskedId(id))
  return { ...((askedId === id && whole.data) || read), askForWhole }
}

/** The text that is judged: its beginning until all of it is loaded. */
function JudgedText({ item, read, isUnread }: ItemTrailProps) {
  const t = useTranslations('queue')
  const { search } = useQueueFilter()
  const judged = useScrollToItem(read !== undefined)
  const { title, text } = read ?? item
  return (
    <>
      {item.reasons && item.subjectType === 'post' && title && <Title isFlagged={item.flagCount > 0}>{title}</Title>}
      <div
        ref={judged}
        dir="auto"
        className="-mx-1 mt-0.5 -mb-1 max-w-[calc(56ch+0.5rem)] scroll-mt-10 scroll-mb-3 p-1 contain-content font-member phone:scroll-mt-12 phone:scroll-mb-18 phone-low:scroll-mt-1 text-item wrap-anywhere whitespace-pre-wrap text-ink phone:text-[1.0625rem] phone:leading-[1.625rem]"
      >
        {item.isClosed ? (
          <LockedConversation item={item} />
        ) : (
          <CoveredText isMain isFlagged={item.flagCount > 0}>
            <PlainText words={search.text} found={foundInText(read)}>
              {text}
            </PlainText>
          </CoveredText>
        )}
      </div>
      {item.isCut && !read && (
        <p className="mt-1 text-small text-ink-3">{t(isUnread ? 'unread.text' : 'readingText')}</p>
      )}
    </>
  )
}

/** Where rules found something in the text of the item. */
function foundInText(read: ReviewItem | undefined): FoundRange[] {
  const { reviewReasons = [], highlights = [] } = read?.item ?? {}
  const rules = [...reviewReasons, ...highlights].flatMap((reason) => (reason.type === 'rule' ? reason : []))
  return rules.flatMap(({ found }) => found.filter(({ field }) => field === 'text'))
}

/** Whether the item was shown before its surroundings were loaded. */
function useIsLate(itemId: string, isRead: boolean): boolean {
  const [lateId, setLateId] = useState<string>()
  if (!isRead && lateId !== itemId) setLateId(itemId)
  return lateId === itemId
}

/** The place of a brief quote with a title, or without one. */
const RESERVED = { posted: 'min-h-25', answered: 'min-h-19' }

/** Keeps the place of what is loading, couldn't be loaded or turned out not to exist, so that the comment doesn't move. */
function ReservedStep({ said, children }: { said: keyof typeof RESERVED; children?: ReactNode }) {
  return (
    <TrailStep>
      <div aria-hidden={!children} className={`text-small text-ink-3 ${RESERVED[said]}`}>
        {children}
      </div>
    </TrailStep>
  )
}

function QuotedStep({
  quoted,
  said,
  title,
  isLate = false,
}: {
  quoted: Quoted
  said: 'posted' | 'answered' | 'before' | 'after'
  title?: string | undefined
  isLate?: boolean
}) {
  const t = useTranslations('queue')
  const times = useTimes()
  const reported = useTranslations('reported')
  const { approvalStatus } = quoted
  const time = times.exact(quoted.writtenAt)
  const isAround = said === 'before' || said === 'after'
  return (
    <TrailStep>
      <div className={isLate && !isAround ? `${RESERVED[said]} [&>p]:line-clamp-1` : undefined}>
        <By>
          <b>
            <bdi>{quoted.authorName}</bdi>
          </b>
          <span>{isAround ? reported(said, { time }) : t(said, { time })}</span>
          {approvalStatus === 'pending' && <span>{t('waitsToo')}</span>}
          {(approvalStatus === 'approved' || approvalStatus === 'rejected') && <OutcomeWord outcome={approvalStatus} />}
        </By>
        {title && <Title isFlagged={false}>{title}</Title>}
        <Quote quoted={quoted} isBrief={isLate} />
      </div>
    </TrailStep>
  )
}

function Title({ isFlagged, children }: { isFlagged: boolean; children: string }) {
  return (
    <p dir="auto" className="mt-[3px] font-bold wrap-anywhere text-ink">
      <CoveredLine isFlagged={isFlagged}>
        <PlainText>{children}</PlainText>
      </CoveredLine>
    </p>
  )
}

/** The replies, and a button that opens the whole thread. */
function Replies({ item, replies: { held, visible } }: Pick<ReviewItem, 'item' | 'replies'>) {
  const t = useTranslations('queue')
  return (
    <TrailStep>
      <By>
        {held + visible > 0 && <b>{t('replies', { count: held + visible })}</b>}
        {held > 0 && <span>{t('repliesHeld', { count: held })}</span>}
        {visible > 0 && <span>{t('repliesVisible', { count: visible })}</span>}
        <OpenButton item={item} act="thread">
          {t('openThread')}
        </OpenButton>
      </By>
    </TrailStep>
  )
}
