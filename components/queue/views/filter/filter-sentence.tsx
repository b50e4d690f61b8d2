'use client'
import { Plus } from 'lucide-react'
import { Fragment } from 'react'
import { useTranslations } from 'use-intl'
import { ActKeycap } from '#components/keys/shortcut-keys.tsx'
import { useQueueFilter } from '../../state/use-queue-filter.ts'
import { OpenView } from '../open-view.tsx'
import { SaveViewButton } from '../save-view-button.tsx'
import type { Totals } from '../use-totals.ts'
import { EditableChip } from './editable-chip.tsx'
import type { FilterEditing } from './filter-editing.ts'
import { HowMany } from './how-many.tsx'
import { InUtc } from './in-utc.tsx'
import { QueueExport } from './queue-export.tsx'
import type { FilterPart } from './use-filter-parts.ts'

export interface SentenceProps {
  totals: Totals | undefined
  parts: FilterPart[]
  /** The name of the community the queue is narrowed to. */
  community: string | undefined
  editing: FilterEditing
}

/** "80 of 5,601 held in … written between … in …": filters are chips, the words between them are text. */
export function FilterSentence({ totals, parts, community, editing }: SentenceProps) {
  const t = useTranslations('filters')
  const { search, narrow } = useQueueFilter()
  const { edited } = editing
  const isShown = !editing.isAdding && (edited === 'communityId' || parts.some(({ edits }) => edits === edited))

  return (
    <div className="flex flex-wrap items-center gap-1.5">
      <OpenView />
      <span>
        <HowMany totals={totals} />
      </span>
      <EditableChip
        edits="communityId"
        editing={editing}
        value={community ?? t(search.view === 'reported' ? 'everywhere' : 'allMine')}
        onRemove={community ? () => narrow({ communityId: null }) : undefined}
        removeLabel={t('everyCommunity')}
      />
      {parts.map(({ id, lead, value, edits, drop, dropLabel }) => (
        <Fragment key={id}>
          {lead && <span>{lead}</span>}
          <EditableChip
            edits={edits}
            editing={editing}
            value={value}
            onRemove={drop && (() => narrow(drop))}
            removeLabel={dropLabel}
          />
          {id === 'zone' && <InUtc />}
        </Fragment>
      ))}
      <EditableChip edits={edited && !isShown ? edited : 'add'} editing={editing} isAdding>
        <Plus className="size-3.5" />
        {t('add')}
        <ActKeycap act="filters" className="phone:hidden" />
      </EditableChip>
      <SaveViewButton />
      <QueueExport />
    </div>
  )
}
