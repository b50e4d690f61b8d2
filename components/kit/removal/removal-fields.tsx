'use client'
import { useTranslations } from 'use-intl'
import { Choices } from '#components/ui/choices.tsx'
import type { RemovedItem } from '#server/modules/review/bulk/schema.ts'
import { useTimes } from '../times/use-times.ts'
import { CoveredLine } from '../wellness/covered-text.tsx'
import { PERIOD_NAMES, PERIODS, type RemovalChoice } from './use-removal.ts'

interface RemovalFieldsProps {
  removal: RemovalChoice
  /** Whether there is an item in front, and whether it is rejected with the others. */
  front: 'rejected' | 'kept' | 'none'
  /** The name of the space in which the person was met. */
  homeName?: string | undefined
}

const ASK = { rejected: 'askWithThis', kept: 'ask', none: 'askHeld' } as const

/** What is removed together with a ban: held items, what was published lately, where; and a list of it, in which each can be left out. */
export function RemovalFields({ removal, front, homeName }: RemovalFieldsProps) {
  const t = useTranslations('ban.others')
  const { preview, home, space } = removal
  const withThis = front === 'rejected'
  const count = Math.max(0, (preview.data?.counts.held ?? 0) - (withThis ? 1 : 0))
  return (
    <>
      <label className="flex min-h-6 items-center gap-2 coarse:min-h-10">
        <input
          type="checkbox"
          checked={removal.isHeldIncluded}
          onChange={(event) => removal.includeHeld(event.target.checked)}
          className="size-3.5 shrink-0 accent-accent"
        />
        {t(ASK[front], { count })}
      </label>
      <Choices
        legend={t('published')}
        columns={3}
        chosen={removal.period}
        onChoose={removal.choosePeriod}
        choices={PERIOD_NAMES.map((id) => ({ id, label: t(`periods.${id}`), cap: PERIODS[id].key.toUpperCase() }))}
      />
      {removal.isAsked && home && home.scope !== 'network' && (
        <Choices
          legend={t('from')}
          columns={2}
          chosen={space.scope === 'network' ? 'everywhere' : 'here'}
          onChoose={(id) => removal.chooseSpace(id === 'here' ? home : { scope: 'network' })}
          choices={[
            { id: 'here', label: homeName ?? t('here') },
            { id: 'everywhere', label: t('everywhere') },
          ]}
        />
      )}
      {removal.isAsked && <RemovalPreviewed removal={removal} withThis={withThis} />}
    </>
  )
}

/** How many items of which kinds are removed, and the first of them. */
function RemovalPreviewed({ removal, withThis }: { removal: RemovalChoice; withThis: boolean }) {
  const t = useTranslations('ban.others')
  const { preview, items, count = 0, isHeldIncluded, isPublishedIncluded } = removal
  if (preview.isError) return <p className="text-small text-reject">{t('notRead')}</p>
  if (preview.isPending) return <p className="text-small text-ink-3">{t('reading')}</p>
  const { counts, isCut } = preview.data
  if (items.length === 0) return <p className="text-small text-ink-3">{t(isPublishedIncluded ? 'nothing' : 'none')}</p>
  const refused = isHeldIncluded ? counts.claimed : 0
  const kinds = [
    isHeldIncluded && counts.held > 0 && t('kinds.held', { count: counts.held }),
    counts.comments > 0 && t('kinds.comments', { count: counts.comments }),
    counts.posts > 0 && t('kinds.posts', { count: counts.posts }),
    counts.messages > 0 && t('kinds.messages', { count: counts.messages }),
  ].filter((kind) => kind !== false)
  const more = count + refused - items.length + items.filter(removal.isLeft).length
  return (
    <div>
      <p aria-live="polite" className="text-small text-ink-3">
        {t(isPublishedIncluded ? 'removes' : 'count', { count, refused })} {isPublishedIncluded && kinds.join(' · ')}
        {isCut && ` ${t('isCut')}`}
      </p>
      <ul
        aria-label={t(listName(isPublishedIncluded, withThis))}
        className="ring-inset mt-1 max-h-40 overflow-auto rounded-2 border border-line-strong"
      >
        {items.map((item) => (
          <Line key={`${item.subjectType}:${item.subjectId}`} item={item} removal={removal} />
        ))}
      </ul>
      {more > 0 && <p className="mt-1 text-small text-ink-3">{t('more', { count: more })}</p>}
    </div>
  )
}

function listName(isPublishedIncluded: boolean, withThis: boolean) {
  if (isPublishedIncluded) return 'labelAll'
  return withThis ? 'labelWithThis' : 'label'
}

function Line({ item, removal }: { item: RemovedItem; removal: RemovalChoice }) {
  const t = useTranslations('ban.others')
  const times = useTimes()
  const { subjectType, excerpt, isFlagged, isPublished, placeName, writtenAt, error } = item
  const facts = [
    t(isPublished ? `kind.${subjectType}` : 'kind.held'),
    placeName,
    times.brief(writtenAt),
    error && t(`errors.${error}`),
  ].filter(Boolean)
  return (
    <li className="border-b border-line last:border-b-0">
      <label className="flex min-h-6 items-start gap-2 px-2 py-1 text-small coarse:min-h-10">
        <input
          type="checkbox"
          checked={!error && !removal.isLeft(item)}
          disabled={error !== undefined}
          onChange={() => removal.toggle(item)}
          className="mt-1 size-3.5 shrink-0 accent-accent"
        />
        <span className="min-w-0 flex-1">
          <span dir="auto" className="line-clamp-2 wrap-anywhere text-ink">
            {excerpt ? <CoveredLine isFlagged={isFlagged}>{excerpt}</CoveredLine> : t('noWords')}
          </span>
          <span className="block text-ink-3">
            {facts.map((fact, index) => (
              <span key={fact}>
                {index > 0 && ' · '}
                <bdi>{fact}</bdi>
              </span>
            ))}
          </span>
        </span>
      </label>
    </li>
  )
}
