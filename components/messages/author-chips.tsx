'use client'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { MOST_AUTHORS } from '#components/kit/addresses/messages-search.ts'
import { Chip, ChipButton } from '#components/ui/chip.tsx'
import { lazyPart } from '#components/ui/lazy-part.tsx'
import { LazyPopover } from '#components/ui/lazy-popover.tsx'
import type { Messages } from './use-messages.ts'

const FindAuthor = lazyPart(() => import('./find-author.tsx').then(({ FindAuthor }) => FindAuthor), {
  onFailed: ({ trigger }) => trigger.onClose(),
})

/** The authors to search by: a message matches if any of them wrote it. */
export function AuthorChips({ found: { search, messages, narrow } }: { found: Messages }) {
  const t = useTranslations('messages')
  const spaces = useTranslations('spaces')
  const [names, setNames] = useState(new Map<string, string>())
  const { userIds } = search
  const nameOf = (userId: string) =>
    names.get(userId) ?? messages?.find(({ author }) => author.userId === userId)?.author.displayName ?? userId

  function add(userId: string, displayName: string): void {
    setNames(new Map([...names, [userId, displayName]]))
    if (!userIds.includes(userId)) narrow({ userIds: [...userIds, userId] })
  }
  return (
    <>
      {userIds.map((userId) => (
        <Chip
          key={userId}
          onRemove={() => narrow({ userIds: userIds.filter((one) => one !== userId) })}
          removeLabel={spaces('without', { what: nameOf(userId) })}
        >
          <bdi className="max-w-48 truncate px-2">{nameOf(userId)}</bdi>
        </Chip>
      ))}
      {userIds.length < MOST_AUTHORS && (
        <Chip>
          <LazyPopover
            opens="dialog"
            button={<ChipButton>{userIds.length === 0 ? t('anyAuthor') : t('orAuthor')}</ChipButton>}
          >
            {(trigger) => <FindAuthor trigger={trigger} chosen={undefined} onChoose={add} />}
          </LazyPopover>
        </Chip>
      )}
    </>
  )
}
