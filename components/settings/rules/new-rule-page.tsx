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
import type { WaveRule } from '#server/modules/review/bulk/schema.ts'
import type { Subject } from '#server/modules/review/decisions/schema.ts'
import type { ReviewItem } from '#server/modules/review/items/schema.ts'
import type { Condition } from '#server/modules/rules/conditions/schema.ts'
import type { ManagedSpace } from '#server/modules/rules/registry/schema.ts'
import { BackLink, SettingsPage } from '../settings-page.tsx'
import { type GroupDraft, newGroup, newLeaf, toDraft } from './condition-draft.ts'
import { chosenWords, proposeConditions, proposeWords, toggleWord } from './proposed-words.ts'
import type { NewRuleStart } from './rule-form.tsx'
import { useRuleSpaces } from './use-rule-queries.ts'

const RuleForm = lazyPart(() => import('./rule-form.tsx').then(({ RuleForm }) => RuleForm), {
  isPlain: true,
})

/** Writes a rule of a space, with a preset, what an item says, or what its wave shares, if it is made from one. */
export function NewRulePage() {
  const t = useTranslations('rules')
  const [search, setSearch] = useQueryStates(NEW_RULE_SEARCH)
  const { communityId } = search
  const spaces = useRuleSpaces(communityId)
  const made = useMadeFrom(search)
  // Once they are known, the form doesn't move.
  const queues = useQuery(useTRPC().queues.list.queryOptions({ communityId }))
  const space = spaces.data?.find((one) => (one.communityId ?? null) === communityId)
  const isReady = space !== undefined && !queues.isPending && made.isRead
  const communities = made.wave?.communityIds.length ?? 0
  const isAsking = asksForSpace(search, communities, spaces.data)
  return (
    <SettingsPage
      isWide
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
      {isReady && isAsking && (
        <AskForSpace
          communities={communities}
          communityName={space.displayName}
          onChoose={(chosen) => setSearch({ ...chosen, wave: 'placed' })}
        />
      )}
      {isReady && !isAsking && <NewRule search={search} made={made} />}
    </SettingsPage>
  )
}

/** What the rule starts with: an item, its wave, or a preset. */
interface MadeFrom {
  isRead: boolean
  hasFailed: boolean
  subject: Subject | undefined
  item: ReviewItem | undefined
  wave: WaveRule | undefined
  preset: (Pick<NewRuleStart, 'severity'> & { condition: Condition }) | undefined
}

function useMadeFrom(search: NewRuleSearch): MadeFrom {
  const trpc = useTRPC()
  const { preset } = search
  const subject = subjectOf(search)
  const kept = { staleTime: Number.POSITIVE_INFINITY, retry: false }
  const item = useQuery(trpc.review.item.queryOptions(subject || skipToken, kept))
  const wave = useQuery(trpc.rules.ofWave.queryOptions((search.wave !== null && subject) || skipToken, kept))
  const presets = useQuery({
    queryKey: ['presets of rules'],
    queryFn: preset === null ? skipToken : () => import('./presets.ts').then(({ PRESETS }) => PRESETS),
    ...kept,
  })
  return {
    isRead: ![item, wave, presets].some(({ isLoading }) => isLoading),
    hasFailed: item.isError,
    subject,
    item: item.data,
    wave: wave.data ?? undefined,
    preset: preset === null ? undefined : presets.data?.[preset],
  }
}

function subjectOf({ comment, post }: NewRuleSearch): Subject | undefined {
  if (comment) return { subjectType: 'comment', subjectId: comment }
  return post ? { subjectType: 'post', subjectId: post } : undefined
}

/** Of a wave in several communities, a rule of the whole network may be meant. */
const asksForSpace = ({ wave, communityId }: NewRuleSearch, communities: number, spaces: ManagedSpace[] = []) =>
  wave === 'new' && communities > 1 && communityId !== null && spaces.some((one) => one.communityId === undefined)

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

/** The communities that what it is made from is in. */
function communitiesOf({ item, wave }: MadeFrom): string[] {
  const home = item?.item.community?.communityId
  return wave?.communityIds ?? (home === undefined ? [] : [home])
}

function NewRule({ search, made }: { search: NewRuleSearch; made: MadeFrom }) {
  const t = useTranslations('rules.form')
  const presets = useTranslations('rules.presets')
  const go = useNavigate()
  const announce = useAnnounce()
  const { communityId, action, preset } = search
  const { subject, item, wave } = made
  const start: NewRuleStart = {
    communityId,
    kinds: ['comment', 'post'],
    action: action ?? 'hold',
    root: startOf(made) ?? newGroup('any', action === 'highlight' ? [newLeaf('words')] : []),
    from: [communityId, subject?.subjectId, search.wave && 'wave', preset, action].join(' '),
    ...(subject && item && { source: { subject, isWave: wave !== undefined, communityIds: communitiesOf(made) } }),
    ...(made.preset && { severity: made.preset.severity }),
    ...(preset && { name: presets(`names.${preset}`) }),
  }
  return (
    <>
      {wave && wave.communityIds.length > 1 && communityId !== null && (
        <p className="mt-3">{t('waveElsewhere', { count: wave.communityIds.length })}</p>
      )}
      {made.hasFailed && <p className="mt-3">{t('fromItemFailed')}</p>}
      <RuleForm
        rule={start}
        lead={preset ? presets('hint') : undefined}
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
        onClose={() => go(toRulesPath({ communityId }))}
        onSaved={({ ruleId }) => {
          announce(t('created'))
          go(toRulePath(ruleId))
        }}
      />
    </>
  )
}

function startOf({ item, wave, preset }: MadeFrom): GroupDraft | undefined {
  const condition = wave?.condition ?? preset?.condition
  if (condition) return toDraft(condition)
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
