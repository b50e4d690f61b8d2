'use client'
import { skipToken, useQuery } from '@tanstack/react-query'
import { Gavel } from 'lucide-react'
import { useTranslations } from 'use-intl'
import { NEW_RULE_SEARCH, toRulePath, toRulesPath } from '#components/kit/addresses/rules-search.ts'
import { FoundText } from '#components/kit/review/found-text.tsx'
import { QueryState } from '#components/kit/states/query-state.tsx'
import { useTRPC } from '#components/trpc/trpc-context.ts'
import { useAnnounce } from '#components/ui/announcer.tsx'
import { EmptyState } from '#components/ui/empty-state.tsx'
import { lazyPart } from '#components/ui/lazy-part.tsx'
import { useQueryStates } from '#components/ui/search-params/use-query-states.ts'
import { useNavigate } from '#components/ui/use-navigate.ts'
import type { QueueItem } from '#server/modules/review/queue/schema.ts'
import { BackLink } from '../back-link.tsx'
import { SettingsPage } from '../settings-page.tsx'
import { type GroupDraft, newGroup, newLeaf } from './condition-draft.ts'
import { chosenWords, proposeConditions, proposeWords, toggleWord } from './proposed-words.ts'
import type { NewRuleStart } from './rule-form.tsx'
import { useRuleSpaces } from './use-rule-queries.ts'

const RuleForm = lazyPart(() => import('./rule-form.tsx').then(({ RuleForm }) => RuleForm), {
  isPlain: true,
})

/** Writes a rule of a space, with what an item says if it is made from one. */
export function NewRulePage() {
  const t = useTranslations('rules')
  const trpc = useTRPC()
  const [{ communityId, comment, post, words, action }] = useQueryStates(NEW_RULE_SEARCH)
  const spaces = useRuleSpaces(communityId)
  const subject = comment
    ? { subjectType: 'comment' as const, subjectId: comment }
    : post && { subjectType: 'post' as const, subjectId: post }
  const read = useQuery(
    trpc.review.item.queryOptions(subject || skipToken, {
      staleTime: Number.POSITIVE_INFINITY,
      retry: false,
    }),
  )
  const item = read.data?.item
  // Once they are known, the form doesn't move.
  const queues = useQuery(trpc.queues.list.queryOptions({ communityId }))
  const isReady = spaces.data !== undefined && !queues.isPending && (!subject || !read.isPending)
  const space = spaces.data?.find((one) => (one.communityId ?? null) === communityId)
  return (
    <SettingsPage
      title={t('form.newTitle')}
      lead={
        <>
          <BackLink href={toRulesPath({ communityId })}>{t('back')}</BackLink>
          {space && `${t('space')} `}
          {space && <bdi>{space.communityId ? space.displayName : t('wholeNetwork')}</bdi>}
        </>
      }
    >
      <QueryState query={spaces} />
      {spaces.data && !space && (
        <EmptyState isInSection icon={<Gavel />} title={t('noSpace')}>
          {t('noSpaceText')}
        </EmptyState>
      )}
      {isReady && space && (
        <>
          {subject && read.isError && <p className="mt-3">{t('form.fromItemFailed')}</p>}
          <NewRule
            communityId={communityId}
            item={item}
            words={words}
            action={action ?? 'hold'}
            from={`${communityId ?? ''} ${subject ? subject.subjectId : (action ?? '')}`}
          />
        </>
      )}
    </SettingsPage>
  )
}

interface NewRuleProps extends Pick<NewRuleStart, 'communityId' | 'action' | 'from'> {
  item: QueueItem | undefined
  /** Those that the items of a wave share, if the rule is made from one. */
  words: string | null
}

function NewRule({ item, words, ...about }: NewRuleProps) {
  const t = useTranslations('rules.form')
  const go = useNavigate()
  const announce = useAnnounce()
  const isWatching = about.action === 'highlight'
  const start: NewRuleStart = {
    ...about,
    kinds: ['comment', 'post'],
    root: item
      ? proposeConditions(wordsOf(item), { isPhrase: words === null })
      : newGroup('any', isWatching ? [newLeaf('words')] : []),
  }
  return (
    <RuleForm
      rule={start}
      aside={
        item &&
        ((root, onChange) => <FromItem item={item} words={words ?? wordsOf(item)} root={root} onChange={onChange} />)
      }
      onClose={() => go(toRulesPath({ communityId: about.communityId }))}
      onSaved={({ ruleId }) => {
        announce(t('created'))
        go(toRulePath(ruleId))
      }}
    />
  )
}

const wordsOf = ({ title, text }: QueueItem) => [title, text].filter(Boolean).join(' ')

interface FromItemProps {
  item: QueueItem
  words: string
  root: GroupDraft
  onChange: (root: GroupDraft) => void
}

/** The item that the rule is made from, and its words to choose from. */
function FromItem({ item, words, root, onChange }: FromItemProps) {
  const t = useTranslations('rules.form')
  const chosen = chosenWords(root)
  return (
    <fieldset className="rounded-2 border border-line px-3 pt-2 pb-3">
      <legend className="px-1 text-small font-bold text-ink">{t('fromItem')}</legend>
      <FoundText title={item.title} text={item.text} found={[]} />
      <p className="mt-2 text-small text-ink-3">{t('fromItemText')}</p>
      <div className="mt-1.5 flex flex-wrap gap-1.5">
        {proposeWords(words).map((word) => (
          <button
            key={word}
            type="button"
            dir="auto"
            aria-pressed={chosen.includes(word)}
            aria-label={t('useWord', { word })}
            onClick={() => onChange(toggleWord(root, word))}
            className="min-h-6 max-w-full truncate rounded-2 border border-line-control px-2 text-ink-2 hover:bg-hover aria-pressed:border-accent aria-pressed:bg-selected aria-pressed:text-ink coarse:min-h-10 forced-colors:aria-pressed:outline-2"
          >
            {word}
          </button>
        ))}
      </div>
    </fieldset>
  )
}
