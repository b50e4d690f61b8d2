'use client'
import { useTranslations } from 'use-intl'
import { CoveredLine } from '#components/kit/wellness/covered-text.tsx'
import type { useOtherItemsOfAuthor } from './use-other-items-of-author.ts'

/** Lists the items that would be rejected with the ban, and those that can't be, with the reason. */
export function OtherItemsList({
  items,
  preview,
  withThis,
}: Omit<ReturnType<typeof useOtherItemsOfAuthor>, 'remove'> & { withThis: boolean }) {
  const t = useTranslations('ban.others')
  const refused = items.filter(({ error }) => error !== undefined).length
  if (preview.isError) return <p className="text-small text-reject">{t('notRead')}</p>
  if (preview.isPending) return <p className="text-small text-ink-3">{t('reading')}</p>
  if (items.length === 0) return <p className="text-small text-ink-3">{t('none')}</p>
  return (
    <div>
      <p className="text-small text-ink-3">
        {t('count', { count: items.length - refused, refused })}
        {preview.data.isCut && ` ${t('isCut')}`}
      </p>
      <ul
        // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable regions must be reachable by keyboard
        tabIndex={0}
        aria-label={t(withThis ? 'labelWithThis' : 'label')}
        className="ring-inset mt-1 max-h-40 overflow-auto rounded-2 border border-line-strong"
      >
        {items.map(({ subjectType, subjectId, excerpt, isFlagged, communityName, error }) => (
          <li key={`${subjectType}:${subjectId}`} className="border-b border-line px-2 py-1 text-small last:border-b-0">
            <span dir="auto" className="line-clamp-2 wrap-anywhere text-ink">
              {excerpt ? <CoveredLine isFlagged={isFlagged}>{excerpt}</CoveredLine> : t('noWords')}
            </span>
            <span className="text-ink-3">
              <bdi>{communityName}</bdi>
              {error && `, ${t(`errors.${error}`)}`}
            </span>
          </li>
        ))}
      </ul>
    </div>
  )
}
