'use client'
import { skipToken, useQuery } from '@tanstack/react-query'
import { Gavel } from 'lucide-react'
import { useTranslations } from 'use-intl'
import { NEW_RULE_SEARCH, type NewRuleSearch, toRulePath, toRulesPath } from '#components/kit/addresses/rules-search.ts'
import { FoundText } from '#components/kit/review/found-text.tsx'
import { QueryState } from '#components/kit/states/query-state.tsx'
import { useTRPC } from '#components/trpc/trpc-context.ts'
import { useAnnounce } from '#components/ui/announcer.tsx'
import { Button } from '#components/ui/button.tsx'
import { EmptyState } from '#components/ui/empty-state.tsx'
import { lazyPart } from '#components/ui/lazy-part.tsx'
import { useQueryStates } from '#components/ui/search-params/use-query-states.ts'
import { useNavigate } from '#components/ui/use-navigate.ts'
import type { Subject } from '#server/modules/review/decisions/schema.ts'
import type { ReviewItem } from '#server/modules/review/items/schema.ts'
import type { ManagedSpace } from '#server/modules/rules/registry/schema.ts'
import { BackLink, SettingsPage } from '../settings-page.tsx'
import { type GroupDraft, newGroup, newLeaf } from './condition-draft.ts'
import { chosenWords, proposeConditions, proposeForWave, proposeWords, toggleWord } from './proposed-words.ts'
import type { NewRuleStart } from './rule-form.tsx'
import { useRuleSpaces } from './use-rule-queries.ts'

const RuleForm = lazyPart(() => import('./rule-form.tsx').then(({ RuleForm }) => RuleForm), {
  isPlain: true,
})

/** Writes a rule of a space, with what an item says, or what its wave shares, if it is made from one. */
export function NewRulePage() {
  const t = useTranslations('rules')
  const trpc = useTRPC()
  const [search, setSearch] = useQueryStates(NEW_RULE_SEARCH)
  const { communityId, communities, action } = search
  const spaces = useRuleSpaces(communityId)
  const subject = subjectOf(search)
  const read = useQuery(
    trpc.review.item.queryOptions(subject || skipToken, {
      staleTime: Number.POSITIVE_INFINITY,
      retry: false,
    }),
  )
  // Once they are known, the form doesn't move.
  const queues = useQuery(trpc.queues.list.queryOptions({ communityId }))
  const isReady = spaces.data !== undefined && !queues.isPending && (!subject || !read.isPending)
  const space = spaces.data?.find((one) => (one.communityId ?? null) === communityId)
  const isAsking = asksForSpace(search, spaces.data)
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
      {space && isAsking && (
        <AskForSpace
          communities={communities ?? 0}
          communityName={space.displayName}
          onChoose={(chosen) => setSearch({ ...chosen, communities: null })}
        />
      )}
      {isReady && space && !isAsking && (
        <>
          {communities !== null && <p className="mt-3">{t('form.waveElsewhere', { count: communities })}</p>}
          {subject && read.isError && <p className="mt-3">{t('form.fromItemFailed')}</p>}
          <NewRule
            communityId={communityId}
            item={read.data}
            wave={waveOf(search)}
            action={action ?? 'hold'}
            from={[communityId, subject?.subjectId, waveOf(search) && 'wave', action].join(' ')}
          />
        </>
      )}
    </SettingsPage>
  )
}

function subjectOf({ comment, post }: NewRuleSearch): Subject | undefined {
  if (comment) return { subjectType: 'comment', subjectId: comment }
  return post ? { subjectType: 'post', subjectId: post } : undefined
}

/** Of a wave in several communities, a rule of the whole network may be meant. */
const asksForSpace = ({ communities, communityId }: NewRuleSearch, spaces: ManagedSpace[] = []) =>
  communities !== null && communityId !== null && spaces.some((one) => one.communityId === undefined)

interface AskForSpaceProps {
  communities: number
  communityName: string
  onChoose: (chosen: { communityId?: null }) => void
}

function AskForSpace({ communities, communityName, onChoose }: AskForSpaceProps) {
  const t = useTranslations('rules.form')
  return (
    <section className="mt-3">
      <p className="font-firm text-ink">{t('waveSpace', { count: communities })}</p>
      <div className="mt-2 flex flex-wrap gap-2">
        <Button onPress={() => onChoose({})}>{t('waveInCommunity', { name: communityName })}</Button>
        <Button onPress={() => onChoose({ communityId: null })}>{t('waveInNetwork')}</Button>
      </div>
    </section>
  )
}

/** Undefined where the texts of the wave share nothing that a rule could look for, as those in look-alike letters. */
function waveOf(search: NewRuleSearch): WaveShares | undefined {
  const [words, domains] = [listOf(search.words), listOf(search.domains)]
  return words.length > 0 || domains.length > 0 ? { words, domains } : undefined
}

const listOf = (joined: string | null): string[] => (joined ?? '').split(' ').filter(Boolean)

type WaveShares = Parameters<typeof proposeForWave>[0]

interface NewRuleProps extends Pick<NewRuleStart, 'communityId' | 'action' | 'from'> {
  item: Texts | undefined
  wave: WaveShares | undefined
}

function NewRule({ item, wave, ...about }: NewRuleProps) {
  const t = useTranslations('rules.form')
  const go = useNavigate()
  const announce = useAnnounce()
  const isWatching = about.action === 'highlight'
  const start: NewRuleStart = {
    ...about,
    kinds: ['comment', 'post'],
    root: startOf(item, wave) ?? newGroup('any', isWatching ? [newLeaf('words')] : []),
  }
  return (
    <RuleForm
      rule={start}
      aside={
        item &&
        ((root, onChange) => (
          <FromItem
            item={item}
            words={wave?.words ?? proposeWords(textOf(item))}
            about={t(wave ? 'fromWaveText' : 'fromItemText')}
            root={root}
            onChange={onChange}
          />
        ))
      }
      onClose={() => go(toRulesPath({ communityId: about.communityId }))}
      onSaved={({ ruleId }) => {
        announce(t('created'))
        go(toRulePath(ruleId))
      }}
    />
  )
}

function startOf(item: NewRuleProps['item'], wave: NewRuleProps['wave']): GroupDraft | undefined {
  if (wave) return proposeForWave(wave)
  return item && proposeConditions(textOf(item))
}

type Texts = Pick<ReviewItem, 'title' | 'text'>

const textOf = ({ title, text }: Texts) => [title, text].filter(Boolean).join(' ')

interface FromItemProps {
  item: Texts
  /** To choose from. */
  words: string[]
  about: string
  root: GroupDraft
  onChange: (root: GroupDraft) => void
}

/** The item that the rule is made from, and its words to choose from. */
function FromItem({ item, words, about, root, onChange }: FromItemProps) {
  const t = useTranslations('rules.form')
  const chosen = chosenWords(root)
  return (
    <fieldset className="rounded-2 border border-line px-3 pt-2 pb-3">
      <legend className="px-1 text-small font-bold text-ink">{t('fromItem')}</legend>
      <FoundText title={item.title} text={item.text} found={[]} />
      <p className="mt-2 text-small text-ink-3">{about}</p>
      <div className="mt-1.5 flex flex-wrap gap-1.5">
        {words.map((word) => (
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
