'use client'
import type { ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import { CoveredLine } from '#components/kit/wellness/covered-text.tsx'
import { Highlight } from '#components/ui/highlight.tsx'
import type { FoundRange } from '#components/ui/split-found.ts'
import type { PreviewedItem } from '#server/modules/review/bulk/schema.ts'
import { type Exceptions, groupExceptions } from './exceptions.ts'
import { keyOf } from './to-seen.ts'

/** Items that aren't decided with the others, grouped by reason, each with its author's name. */
export function ExceptionList({ items, label }: { items: PreviewedItem[]; label?: string }) {
  const t = useTranslations('many')
  const reasonOf = useReason()
  return (
    <Scroller label={label ?? t('exceptions')}>
      {groupExceptions(items).map((group) => {
        const { why, items } = group
        const reason = reasonOf(group)
        return (
          <section key={`${why} ${reason}`} aria-label={reason}>
            <p className="sticky top-0 border-b border-line bg-sunken px-2 py-1 text-small font-firm text-ink">
              {t('reason', { count: items.length, reason })}
            </p>
            <ItemList items={items} />
          </section>
        )
      })}
    </Scroller>
  )
}

/** Why none of the items is decided with the others, where it is the same for all. */
export function useOnlyReason(items: PreviewedItem[]): string | undefined {
  const reasonOf = useReason()
  const [group, ...others] = groupExceptions(items)
  return group && others.length === 0 ? reasonOf(group) : undefined
}

function useReason(): (group: Exceptions) => string {
  const t = useTranslations('many.why')
  return ({ why, decided, who = 'none', items: { length: count } }) =>
    why === 'decided' && decided
      ? t(`decided.${decided.outcome}`, { count, who: decided.decidedByName })
      : t(why === 'decided' ? 'changed' : why, { count, who })
}

interface DoableListProps {
  label: string
  items: PreviewedItem[]
  /** What each is called by, if not by its author. */
  nameOf?: (item: PreviewedItem) => string
}

/** Items that will be decided. */
export function DoableList({ label, items, nameOf }: DoableListProps) {
  return (
    <Scroller label={label}>
      <ItemList items={items} {...(nameOf && { nameOf })} />
    </Scroller>
  )
}

/** A list in a dialog, with its own scroll bar. */
export function Scroller({
  label,
  isTall = false,
  children,
}: {
  label: string
  /** For a list that is the main part of its dialog. */
  isTall?: boolean
  children: ReactNode
}) {
  return (
    <section
      // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable regions must be reachable by keyboard
      tabIndex={0}
      aria-label={label}
      className={`ring-inset overflow-auto rounded-2 border border-line-strong bg-surface ${isTall ? 'max-h-[max(8.25rem,35dvh)]' : 'max-h-33'}`}
    >
      {children}
    </section>
  )
}

const authorOf = (item: PreviewedItem) => item.authorName || item.subjectId

function ItemList({ items, nameOf = authorOf }: Omit<DoableListProps, 'label'>) {
  return (
    <ul>
      {items.map((item) => (
        <li
          key={keyOf(item)}
          className="border-b border-line px-2 py-1 text-small [contain-intrinsic-size:auto_27px] [content-visibility:auto] last:border-b-0"
        >
          <ItemLine name={nameOf(item)} item={item} />
        </li>
      ))}
    </ul>
  )
}

/** Who wrote an item, and the start of its text, cut at the end that its language is read to. */
export function ItemLine({
  name,
  item,
  differences,
}: {
  name: string
  item: PreviewedItem
  /** To be marked: then all of the start is shown. */
  differences?: FoundRange[] | undefined
}) {
  const t = useTranslations('many')
  return (
    <p className="flex min-w-0 flex-1 gap-1 phone:flex-col phone:items-start phone:gap-0">
      <bdi className="max-w-[60%] shrink-0 truncate font-firm text-ink phone:max-w-full">{name}</bdi>
      <span dir="auto" className={`max-w-full min-w-0 ${differences ? 'wrap-anywhere' : 'truncate'}`}>
        {item.excerpt ? (
          <CoveredLine isFlagged={item.isFlagged}>
            <Highlight words={null} found={differences}>
              {item.excerpt}
            </Highlight>
          </CoveredLine>
        ) : (
          t('noWords')
        )}
      </span>
    </p>
  )
}
