'use client'
import { Flag } from 'lucide-react'
import { useTranslations } from 'use-intl'
import { useTimes } from '#components/kit/times/use-times.ts'
import { CoveredLine } from '#components/kit/wellness/covered-text.tsx'
import { Highlight } from '#components/ui/highlight.tsx'
import type { DeskMessage } from '#server/modules/desk/messages/schema.ts'

export const hitId = (messageId: string) => `hit-${messageId}`

interface HitListProps {
  messages: DeskMessage[]
  words: string
  currentId: string | null
  onOpen: (messageId: string, history?: 'push' | 'replace') => void
}

/** The results, each a button that shows the message among its neighbours. */
export function HitList({ messages, words, currentId, onOpen }: HitListProps) {
  const t = useTranslations('messages')
  const times = useTimes()
  return (
    <ul>
      {messages.map(({ messageId, author, channel, text, at, kind, flagCount, isDeleted }) => (
        <li key={messageId}>
          <button
            type="button"
            id={hitId(messageId)}
            aria-current={messageId === currentId || undefined}
            onClick={() => onOpen(messageId, currentId === null ? 'push' : 'replace')}
            className="grid w-full grid-cols-[minmax(0,1fr)_auto] gap-x-3 border-b border-line px-[18px] py-[7px] text-start -outline-offset-2 hover:bg-hover aria-[current]:bg-selected phone:px-3 forced-colors:aria-[current]:outline-2"
          >
            <span className="min-w-0 truncate">
              <bdi className="font-firm text-ink">{author.displayName}</bdi>{' '}
              <span className="text-ink-3">{t('in', { channel: channel.displayName })}</span>
            </span>
            <span className="flex items-center gap-1.5 text-small whitespace-nowrap text-ink-3">
              {flagCount > 0 && (
                <>
                  <Flag className="size-3.5" />
                  <span className="sr-only">{t('flags', { count: flagCount })}</span>
                </>
              )}
              <time title={times.exact(at)}>{times.brief(at)}</time>
            </span>
            <span dir="auto" className="col-span-2 line-clamp-2 wrap-anywhere">
              {isDeleted ? (
                <span className="text-ink-3">{t('deleted')}</span>
              ) : (
                <CoveredLine isFlagged={flagCount > 0}>
                  {text === '' ? (
                    <span className="text-ink-3">{t('kindOf', { kind })}</span>
                  ) : (
                    <Highlight words={words || null}>{text}</Highlight>
                  )}
                </CoveredLine>
              )}
            </span>
          </button>
        </li>
      ))}
    </ul>
  )
}
