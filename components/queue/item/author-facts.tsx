'use client'
import { Check, Copy } from 'lucide-react'
import Link from 'next/link'
import { type ReactNode, useState } from 'react'
import { useFormatter, useTranslations } from 'use-intl'
import { useSpan } from '#components/i18n/use-span.ts'
import { ActKeycap } from '#components/keys/shortcut-keys.tsx'
import { toUserPath } from '#components/kit/people/to-user-path.ts'
import { useTimes } from '#components/kit/times/use-times.ts'
import { useAnnounce } from '#components/ui/announcer.tsx'
import { Button } from '#components/ui/button.tsx'
import { NativeButton } from '#components/ui/native-button.tsx'
import type { ReviewItem } from '#server/modules/review/items/schema.ts'
import type { QueueItem } from '#server/modules/review/queue/schema.ts'
import { useDeskActs } from '../acts/desk-acts.ts'
import { AuthorTreatments, SanctionList } from './lazy-parts.ts'

type Author = ReviewItem['author']

interface AuthorFactsProps {
  author: Author
  /** The item they wrote. */
  item: QueueItem
  /** The community whose mute has its button at the item. */
  unmutedIn: string | undefined
}

/** Facts about the author: account age, memberships, active bans, what becomes of what they write, and the number of their other pending items. */
export function AuthorFacts({ author, item, unmutedIn }: AuthorFactsProps) {
  const t = useTranslations('queue.author')
  const format = useFormatter()
  const span = useSpan()
  const times = useTimes()
  const memberOf = author.communities.filter(({ isBanned }) => !isBanned)

  return (
    <section className="border-b border-line px-4 py-3">
      <h3 className="mb-1.5 text-large font-firm wrap-anywhere text-ink">
        <Link href={toUserPath(author.userId)} prefetch={false} className="text-ink decoration-line-control">
          <bdi>{author.displayName}</bdi>
        </Link>
      </h3>
      <dl className="grid grid-cols-[92px_minmax(0,1fr)] gap-x-2.5 gap-y-[3px] text-small">
        <Fact name={t('id')}>
          <span className="font-code text-[0.92em]">{author.userId}</span>
          <CopyButton key={author.userId} text={author.userId} />
        </Fact>
        <Fact name={t('since')}>
          {times.date(author.since)}, {span(times.now - Date.parse(author.since))}
        </Fact>
        <Fact name={t('memberOf')}>
          {memberOf.length > 0 ? format.list(memberOf.map(({ displayName }) => displayName)) : t('none')}
        </Fact>
        <Fact name={t('bans')}>
          {author.bans.length > 0 || author.mutes ? <SanctionList author={author} unmutedIn={unmutedIn} /> : t('none')}
          <div>
            <AuthorAct item={item} act="warn" />
          </div>
        </Fact>
        <Fact name={t('treatments')}>
          {author.treatments.length > 0 && <AuthorTreatments author={author} />}
          <AuthorAct item={item} act="treatment" />
        </Fact>
        <Fact name={t('heldNow')}>{t('otherHeld', { count: author.otherHeld })}</Fact>
      </dl>
    </section>
  )
}

function AuthorAct({ item, act }: { item: QueueItem; act: 'treatment' | 'warn' }) {
  const t = useTranslations('queue.others')
  const { open } = useDeskActs()
  return (
    <Button look="bare" size="small" className="-ms-1.5 px-1.5! text-small" onPress={() => open(act, item)}>
      {t(act)}
      <ActKeycap act={act} className="phone:hidden" />
    </Button>
  )
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt className="text-ink-3">{name}</dt>
      <dd className="min-w-0 wrap-anywhere text-ink">{children}</dd>
    </>
  )
}

function CopyButton({ text }: { text: string }) {
  const t = useTranslations('queue.author')
  const announce = useAnnounce()
  const [isCopied, setCopied] = useState(false)

  async function copy(): Promise<void> {
    await navigator.clipboard.writeText(text)
    setCopied(true)
    announce(t('copied'))
  }
  return (
    <NativeButton
      aria-label={t('copyId')}
      onPress={() => void copy().catch(() => announce(t('notCopied')))}
      className="-my-1 ms-0.5 inline-grid size-6 place-items-center rounded-1 align-middle text-ink-3 hover:bg-hover hover:text-ink"
    >
      {isCopied ? <Check className="size-3.5" /> : <Copy className="size-3.5" />}
    </NativeButton>
  )
}
